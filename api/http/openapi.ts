import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { type FailureCode, failureCodes } from '#core/contracts/failures';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { failureBody } from '#core/contracts/http/failure-details';
import { failureResponses } from './failure-responses.ts';
import { successStatus } from './serve.ts';

type JsonSchema = Record<string, unknown>;

/** The contract as an OpenAPI 3.1 document: nothing in it is written by hand, so it cannot be out of date. */
export function openApiDocument(publicUrl: string, sessionCookie: string): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chasqui',
      version: '1.0.0',
      description:
        'Envíos de dinero a Bolivia. Los montos son textos decimales exactos. Un error responde {code, message} y los datos de su código, para escribir el mensaje en cualquier idioma.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: Object.fromEntries(
        failureCodes.map((code) => [`failure_${code}`, schemaOf(failureBody(code), 'output')]),
      ),
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
    },
  } as OpenAPIObject;
}

function operationOf(name: string, endpoint: Endpoint): JsonSchema {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2]],
    parameters: [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)],
    ...(endpoint.access === 'public' ? {} : { security: [{ session: [] }] }),
    ...(endpoint.body ? { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } } : {}),
    responses: { ...successOf(endpoint), ...failuresOf(endpoint) },
  };
}

function parametersOf(place: 'path' | 'query', object: z.ZodObject | undefined): JsonSchema[] {
  return Object.entries(object?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(schema, undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
}

function successOf(endpoint: Endpoint): JsonSchema {
  if (endpoint.answersFile) {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    return { [successStatus(endpoint)]: { description: 'El archivo', content } };
  }
  const answer = endpoint.response
    ? { description: 'Correcto', content: json(schemaOf(endpoint.response, 'output')) }
    : { description: 'Correcto, sin contenido' };
  return { [successStatus(endpoint)]: answer };
}

/** Failures by status; several codes may share one. */
function failuresOf(endpoint: Endpoint): JsonSchema {
  const codes = new Set<FailureCode>(endpoint.failures);
  if (endpoint.params || endpoint.query || endpoint.body) codes.add('invalid_input');
  if (endpoint.access !== 'public') codes.add('unauthenticated');
  if (endpoint.access === 'admin') codes.add('forbidden');
  if (endpoint.method !== 'GET') codes.add('wrong_origin');
  const byStatus = Map.groupBy(codes, (code) => failureResponses[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${failureResponses[code].message}`).join('\n\n'),
        content: json({ oneOf: ofStatus.map((code) => ({ $ref: `#/components/schemas/failure_${code}` })) }),
      },
    ]),
  );
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
