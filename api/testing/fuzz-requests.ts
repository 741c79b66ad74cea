import fc from 'fast-check';
import { z } from 'zod';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { type EndpointName, endpointTable } from '../../infra/testing/authorisation/matrix.ts';

// Random requests derived from each endpoint's contract: a correct call with parts replaced by valid values, invalid
// ones, things of another person, or nonsense.

export const fuzzCallers = ['anonymous', 'sender', 'other', 'support', 'owner'] as const;
export type FuzzCaller = (typeof fuzzCallers)[number];

/** One field of a call: as in the correct call with things of the caller, or of another sender; another value; or left out. */
export type FieldChoice =
  | { readonly kind: 'own' | 'foreign' | 'absent' }
  | { readonly kind: 'value'; readonly value: unknown };

export interface FuzzRequest {
  readonly name: EndpointName;
  readonly caller: FuzzCaller;
  /** In place of the endpoint's. */
  readonly method: string | null;
  readonly params: Readonly<Record<string, FieldChoice>>;
  readonly query: Readonly<Record<string, FieldChoice>>;
  readonly body: Readonly<Record<string, FieldChoice>>;
  /** Makes a raw body from the text of the correct one, instead of a JSON object. */
  readonly raw: ((correct: string) => string) | null;
  readonly headers: Readonly<Record<string, string>>;
}

const own: FieldChoice = { kind: 'own' };
const foreign: FieldChoice = { kind: 'foreign' };
const absent: FieldChoice = { kind: 'absent' };
const asValue = (value: unknown): FieldChoice => ({ kind: 'value', value });

const nonsense: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.1, 1e21, -0, 2 ** 53, [], {}, [[]], [null], { id: 1 }, { toString: 'x' }],
  ...['', ' ', '0', '-1', '1e3', '10.001', 'null', 'undefined', 'NaN', '[object Object]', '__proto__', 'constructor'],
  ...["' or 1=1 --", '"; drop table transfer; --', '$1', '\\', '%', '_', '{{7*7}}', '#{7*7}', '../../../etc/passwd'],
  ...['<script>alert(1)</script>', 'javascript:alert(1)', '=HYPERLINK("http://evil.example")', 'http://127.0.0.1:9/'],
  ...['x\0y', '\ud800', '\udfff\ud800', '\u202e', '\u200b', '\u3164', '\ufeff', 'a\r\nSet-Cookie: b=c', '💣', 'İ', 'ß'],
  ...['9'.repeat(400), 'x'.repeat(5_000), 'a@'.repeat(200), ' '.repeat(1_000), '1'.repeat(20), 'á'.repeat(300)],
  ...['2026-02-30', '0000-01-01', '275760-09-13', '2026-11-20T15:00:00Z', '9999-12-31'],
];

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Values that a schema allows, as far as JSON Schema tells. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map(valuesOf));
  switch (schema.type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1000, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1),
      });
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 600 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf((schema.items as JsonSchema | undefined) ?? {}), {
        maxLength: Math.min(schema.maxItems ?? 3, 5),
      });
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
      const required = schema.required ?? [];
      return fc.record(Object.fromEntries(fields.map(([field, each]) => [field, valuesOf(each)])), {
        requiredKeys: required.filter((field) => fields.some(([known]) => known === field)),
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textsOf({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date')
    return fc
      .date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2030-01-01') })
      .map((one) => one.toISOString().slice(0, 10));
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2030-01-01') })
      .map((one) => one.toISOString());
  const amounts = fc.constantFrom('10', '20.5', '99.99', '13.40', '500');
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 200) });
  // fast-check builds texts of simple patterns only; ours name classes of Unicode, too.
  if (pattern && !/\\p|\(\?/.test(pattern)) return fc.stringMatching(new RegExp(pattern), { maxLength: 200 });
  return fc.oneof(texts, amounts);
}

const schemaOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/**
 * Candidate values for each field of a part of the call. The correct value is the most likely, so that most calls pass
 * the contract.
 */
function choicesOf(schema: z.ZodType | undefined, correct: FieldChoice, weights: readonly [number, number, number]) {
  const fields = schema ? Object.entries((schemaOf(schema).properties ?? {}) as Record<string, JsonSchema>) : [];
  const [asIs, allowed, wrong] = weights;
  const choiceOf = ([field, each]: [string, JsonSchema]) =>
    fc.oneof(
      { weight: asIs, arbitrary: fc.constant(correct) },
      { weight: /^id$|Id$/.test(field) ? 2 : 0, arbitrary: fc.constant(foreign) },
      // A new password would keep the caller out.
      { weight: /password|current/.test(field) ? 0 : allowed, arbitrary: valuesOf(each).map(asValue) },
      { weight: wrong, arbitrary: fc.constantFrom(...nonsense).map(asValue) },
      { weight: 1, arbitrary: fc.constant(absent) },
    );
  return fc.record(Object.fromEntries(fields.map((field) => [field[0], choiceOf(field)])));
}

const unknownFields = fc.constantFrom<Record<string, FieldChoice>>(
  {},
  {},
  {},
  {
    role: asValue('admin'),
    adminRole: asValue('owner'),
    id: asValue('x'),
    userId: asValue('x'),
    state: asValue('completed'),
  },
  { prototype: asValue({ role: 'admin' }), constructor: asValue({ prototype: { role: 'admin' } }) },
);

const rawBodies: readonly ((correct: string) => string)[] = [
  (correct) => correct.slice(0, -1),
  (correct) => `${correct}${correct}`,
  (correct) => correct.replace(/^\{/, '{"__proto__":{"role":"admin"},'),
  (correct) => correct.replace(/^\{/, '{"amount":"1","amount":"2",'),
  (correct) => `[${correct}]`,
  () => '',
  () => 'null',
  () => '"text"',
  () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  () => `{"a":"${'x'.repeat(200_000)}"}`,
  () => '\u0000',
];

const headers = fc.constantFrom<Record<string, string>>(
  ...Array<Record<string, string>>(12).fill({}),
  { 'accept-language': 'en' },
  { 'accept-language': 'x'.repeat(3_000) },
  { 'accept-encoding': 'br;q=9,*;q=x' },
  { 'idempotency-key': 'same' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-encoding': 'gzip' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '10.0.0.1' },
  { 'x-http-method-override': 'DELETE' },
  { 'user-agent': 'x'.repeat(4_000) },
  { 'x-unattended': '1' },
  { range: 'bytes=0-1' },
);

/** One would end the caller's session, the other waits for a worker. */
const skipped: readonly EndpointName[] = ['logout', 'updateRates'];

function requestsOf([name, endpoint]: [EndpointName, Endpoint]): fc.Arbitrary<FuzzRequest> {
  const { access, method, params, query, body } = endpoint;
  const likely: readonly FuzzCaller[] = access === 'admin' ? ['owner', 'support'] : ['sender', 'other'];
  return fc.record({
    name: fc.constant(name),
    caller: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...likely) },
      { weight: 1, arbitrary: fc.constantFrom(...fuzzCallers) },
    ),
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
    ),
    params: choicesOf(params, own, [8, 1, 2]),
    query: choicesOf(query, absent, [6, 4, 1]),
    body: fc
      .tuple(choicesOf(body, own, [10, 3, 2]), body ? unknownFields : fc.constant({}))
      .map(([fields, unknown]) => ({ ...fields, ...unknown })),
    raw: fc.oneof(
      { weight: 12, arbitrary: fc.constant(null) },
      { weight: method === 'GET' ? 0 : 1, arbitrary: fc.constantFrom(...rawBodies) },
    ),
    headers,
  });
}

/** Calls that compute the hash of a password or draw a PDF take ten times as long as others: they are made less often. */
const isSlow = (name: EndpointName) =>
  /Pdf$|password|login|register|SecondFactor|RecoveryCodes|changeEmail|closeAccount/i.test(name);

const anyRequest = fc.oneof(
  ...endpointTable
    .filter(([name]) => !skipped.includes(name))
    .map((one) => ({ weight: isSlow(one[0]) ? 1 : 4, arbitrary: requestsOf(one) })),
);

/** Random requests; the same ones for the same seed. */
export const fuzzRequests = (seed: number, count: number): FuzzRequest[] =>
  fc.sample(anyRequest, { seed, numRuns: count });
