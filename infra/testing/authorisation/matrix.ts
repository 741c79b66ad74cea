import { z } from 'zod';
import { type AdminRole, adminRoles } from '#core/accounts/admin-roles';
import { isPermitted, type Permission } from '#core/accounts/roles';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { type LiveEventName, liveEventNames } from '#core/contracts/live-events';

// Permissions for calls and live events, derived from their contracts and the matrix of roles. `docs/authorisation.md`
// lists them, and `api/access/authorisation.test.ts` makes every call.

/**
 * All kinds of callers. "Another sender" requests things of the sender; "unproven" is an owner without a second factor,
 * "stale" one whose proof is old.
 */
export const callers = [
  ...(['anonymous', 'sender', 'another sender', ...adminRoles] as const),
  ...(['suspended', 'expired', 'unproven', 'stale'] as const),
] as const;
export type Caller = (typeof callers)[number];

/**
 * `yes`: answered. `own`: answered for the caller's own things; another person's are not found. The others are
 * refusals: not found, and failure codes of the guard.
 */
export type Outcome =
  | ('yes' | 'own' | 'not_found')
  | ('unauthenticated' | 'forbidden' | 'second_factor_missing' | 'second_factor_stale');

export type EndpointName = keyof typeof endpoints;
export const endpointTable = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];

const roleOf = (caller: Caller): AdminRole | null => {
  if (caller === 'unproven' || caller === 'stale') return 'owner';
  return adminRoles.find((role) => role === caller) ?? null;
};

/** Fields of a call that name a thing of a person: parameters of the path, and fields of the body that are read. */
export function idsOf({ params, body }: Endpoint): { place: 'params' | 'body'; field: string }[] {
  return [
    ...fieldsOf(params).map((field) => ({ place: 'params' as const, field })),
    ...fieldsOf(body).map((field) => ({ place: 'body' as const, field })),
  ].filter(({ field }) => /^id$|Id$/.test(field));
}

/**
 * Fields of a schema with a defined content. Fields that only older clients send and no code reads may hold anything.
 */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties).filter((field) => Object.keys(properties[field] as object).length > 0);
}

export function outcomeOf(name: EndpointName, caller: Caller): Outcome {
  const endpoint: Endpoint = endpoints[name];
  if (endpoint.access === 'public') return 'yes';
  if (caller === 'anonymous' || caller === 'suspended' || caller === 'expired') return 'unauthenticated';
  if (endpoint.access === 'admin' && !isPermitted(roleOf(caller), name)) return 'forbidden';
  if (caller === 'unproven' && !endpoint.beforeSetUp) return 'second_factor_missing';
  if (caller === 'stale' && endpoint.freshFactor) return 'second_factor_stale';
  if (endpoint.access === 'admin') return 'yes';
  return caller === 'sender' || idsOf(endpoint).length === 0 ? 'own' : 'not_found';
}

/** Outcome for the queue board, which is not an endpoint of the contract but uses the same matrix. */
export function queueBoardOutcome(caller: Caller): Outcome {
  if (caller === 'anonymous' || caller === 'suspended' || caller === 'expired') return 'unauthenticated';
  if (!isPermitted(roleOf(caller), 'queueBoard' satisfies Permission)) return 'forbidden';
  return caller === 'unproven' ? 'second_factor_missing' : 'yes';
}

/** Events that say nothing about a person. */
const eventsForEveryone: readonly LiveEventName[] = ['rate:changed', 'rates:collected'];

/** Whether a caller hears a live event about the sender or their things. */
export function hears(event: LiveEventName, caller: Caller): boolean {
  if (eventsForEveryone.includes(event)) return true;
  if (!event.startsWith('admin:')) return caller === 'sender';
  return caller !== 'unproven' && isPermitted(roleOf(caller), event);
}

const labels: Readonly<Record<Outcome, string>> = {
  yes: '**yes**',
  own: '**own**',
  not_found: '404',
  unauthenticated: '401',
  forbidden: '403',
  second_factor_missing: '403 factor',
  second_factor_stale: '403 code',
};

/** The matrix as `docs/authorisation.md` shows it. */
export function authorisationPage(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = (rows: readonly (readonly string[])[]) =>
    [row(['', ...callers]), row(Array(callers.length + 1).fill('---')), ...rows.map(row)].join('\n');
  const rowsOf = (access: Endpoint['access']) =>
    endpointTable
      .filter(([, endpoint]) => endpoint.access === access)
      .map(([name, { method, path }]) => [
        `\`${method} ${path}\``,
        ...callers.map((caller) => labels[outcomeOf(name, caller)]),
      ]);
  const board = ['`/ops/queues`', ...callers.map((caller) => labels[queueBoardOutcome(caller)])];
  const events = liveEventNames.map((event) => [
    `\`${event}\``,
    ...callers.map((caller) => (hears(event, caller) ? '**yes**' : '–')),
  ]);
  return `${introduction}
## For everybody

Each of the callers is answered: ${rowsOf('public')
    .map(([call]) => call)
    .join(', ')}.

## For who is signed in

${table(rowsOf('sender'))}

## For admins

${table([...rowsOf('admin'), board])}

## Live events

${table(events)}
`;
}

const introduction = `# Who may do what

Every route and live event of the contracts, and everybody who may ask. \`api/access/authorisation.test.ts\` makes each of these calls, connects
each of these browsers, and fails where this page is not what the contracts and the matrix of roles (\`core/accounts/roles.ts\`) say. Written by
\`npm run authorisation\`.

- **yes**: answered. **own**: answered about the caller's own things; each id in it is also tried by another sender, who gets 404.
- 401 without a session that counts; 403 where the role may not; *403 factor*: an admin without a second factor, who can only set one up; *403 code*: the
  second factor was proven too long ago for what moves money.
- *another sender* and the admins name things of the *sender*, whom live events are about. *suspended*: blocked by an admin. *expired*: the
  session ended. *unproven*: an owner who has no second factor yet. *stale*: an owner who proved it longer ago than \`STEP_UP_MINUTES\`.
- Support sees personal data masked (decision 46). Tracking links, papers and e-mail links are for whoever has their secret. Stripe's webhook takes
  what Stripe signed.
`;
