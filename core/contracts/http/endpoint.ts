import type { z } from 'zod';
import type { AuditKind } from '../../audit/kinds.ts';
import type { FailureCode } from '../failure-codes.ts';

/** Who may call: anybody, any signed-in person, or an admin. */
export type Access = 'public' | 'sender' | 'admin';

/** One HTTP endpoint as data: the api serves it, the browser calls it, the OpenAPI page shows it, tests try it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with parameters in braces, "/api/recipients/{id}". */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  /** Open to an admin who has yet to set up the second factor that they need. */
  readonly beforeSetUp?: true;
  /** Who has a second factor must have proven it within the last minutes (STEP_UP_MINUTES); who has none must have typed their password, where it says so. */
  readonly freshFactor?: true | 'or_password';
  /** Audit entry written on success. Required for every admin endpoint that changes something or serves a file. */
  readonly audit?: AuditKind;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The answer's body; absent means an empty one (204). */
  readonly response?: z.ZodType;
  /** The answer is a file, not JSON. */
  readonly answersFile?: true;
  /** The largest body in bytes, where it is larger than that of other calls. */
  readonly bodyBytesMax?: number;
  /** Status of success; 200, or 204 without a body, when absent. */
  readonly status?: number;
  /** Failures a caller should handle, besides those every call can give. */
  readonly failures?: readonly FailureCode[];
}

/** Keeps the literal types of an endpoint's definition. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
