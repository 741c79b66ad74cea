import { ConnectionException, DriverException } from '@mikro-orm/core';
import { HttpException } from '@nestjs/common';
import { z } from 'zod';
import { Failure } from '#core/contracts/failures';
import type { BareFailureCode } from '#core/contracts/http/failure-details';
import { wrongInput } from './input.ts';

/** Failures of the framework itself; anything it adds later counts as unexpected. */
const httpFailures: Readonly<Record<number, BareFailureCode>> = {
  // A path that is not valid percent-encoding, and names nothing.
  400: 'not_found',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

/**
/**
 * Codes of the network for an absent server, and of PostgreSQL for one that is going down, has too many clients, or cut off
 * a statement that ran or waited too long (57014, 55P03). 08P01 is about a message that PostgreSQL could not read, so it is a
 * fault of ours and no outage.
 */
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57014|55P03|08(?!P01)\w{3}|57P0\d|53300)$/;

/** Maps whatever was thrown to the closed list. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof z.ZodError) return wrongInput(error);
  if (isUnreachable(error)) return new Failure('unavailable');
  if (error instanceof HttpException) return new Failure(httpFailures[error.getStatus()] ?? 'internal');
  return new Failure('internal');
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof ConnectionException) return true;
  if (!(error instanceof Error)) return false;
  if ('code' in error && unreachable.test(String(error.code))) return true;
  // node-postgres gives some of these no code.
  if (/^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return (error instanceof DriverException || error.cause !== undefined) && isUnreachable(error.cause);
}
