import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Endpoint } from '#core/contracts/http/endpoint';
import type { Person } from '../access/sessions.ts';

/** Metadata key under which a handler keeps the endpoint it serves. */
export const servedEndpoint = 'chasqui:endpoint';

type Parsed<Definition, Part extends string> = Definition extends { [Key in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** One call as its handler gets it: what came in, already validated, and who calls. */
export interface CallOf<Served extends Endpoint> {
  readonly params: Parsed<Served, 'params'>;
  readonly query: Parsed<Served, 'query'>;
  readonly body: Parsed<Served, 'body'>;
  /** The signed-in person; who calls a public endpoint is not looked up. */
  readonly person: Served['access'] extends 'public' ? undefined : Person;
  readonly request: Request;
  readonly response: Response;
}

/** What a handler has to answer. */
export type AnswerOf<Served extends Endpoint> = Served extends { response: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Served extends { answersFile: true }
    ? StreamableFile
    : undefined;

/** An Express request on its way through guard and interceptor. */
export interface CallRequest extends Request {
  person?: Person;
  call?: CallOf<Endpoint>;
}

/** Status of a successful answer. */
export function successStatus(endpoint: Endpoint): number {
  return endpoint.status ?? (endpoint.response ? 200 : 204);
}

/**
 * Binds a controller's method to an endpoint of the contract: method, path, status, who may call, validation of the
 * input, and the check of the output. The method takes one `@Call()` and its types are the endpoint's, or it does not
 * compile.
 */
export function Serve<const Served extends Endpoint>(endpoint: Served) {
  return <Handler extends (call: CallOf<Served>) => Promise<AnswerOf<Served>>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void =>
    applyDecorators(
      RequestMapping({ method: RequestMethod[endpoint.method], path: endpoint.path.replace(/\{(\w+)\}/g, ':$1') }),
      HttpCode(successStatus(endpoint)),
      SetMetadata(servedEndpoint, endpoint),
    )(target, key, descriptor as TypedPropertyDescriptor<Handler>);
}

/** Metadata key of a handler outside of the contract. */
const outsideContract = 'chasqui:outside-contract';

/** This handler is called by no browser and itself decides which requests it accepts: no session, origin or limit of calls concerns it. */
export const OutsideContract = () => SetMetadata(outsideContract, true);

/** Whether the handler of a request is one outside of the contract. */
export function isOutsideContract(context: ExecutionContext): boolean {
  return Reflect.getMetadata(outsideContract, context.getHandler()) === true;
}

/** The validated call, prepared by the contract interceptor. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<CallRequest>().call;
});
