import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../contracts/http/endpoint.ts';
import { endpoints } from '../contracts/http/endpoints.ts';
import { liveEvents } from '../contracts/live.ts';
import { adminRoles } from './admin-roles.ts';
import { isMasked, isNarrowerRole, isPermitted, maskPersonal, type Permission, permissions } from './roles.ts';

const forAdmins = Object.entries<Endpoint>(endpoints).filter(([, { access }]) => access === 'admin');

describe('the matrix of permissions', () => {
  it('has a row for every admin endpoint and live event of the contract, and for nothing that is gone', () => {
    const events = Object.keys(liveEvents).filter((name) => name.startsWith('admin:'));
    const known = [...forAdmins.map(([name]) => name), ...events, 'adminNews', 'queueBoard', 'pauseQueue'];
    expect(Object.keys(permissions).sort()).toEqual(known.sort());
  });

  it('lets owners do everything, and denies everything without a row', () => {
    for (const name of Object.keys(permissions) as Permission[]) expect(permissions[name], name).toContain('owner');
    for (const role of adminRoles) {
      for (const unknown of ['', 'toString', 'constructor', 'made-up']) expect(isPermitted(role, unknown)).toBe(false);
    }
    expect(isPermitted(null, 'adminStats')).toBe(false);
  });

  it('lets support change nothing but notes, and have no file', () => {
    const allowed = forAdmins.filter(([name]) => isPermitted('support', name));
    const changing = allowed.filter(([, { method, answersFile }]) => method !== 'GET' || answersFile);
    expect(changing.map(([name]) => name).sort()).toEqual(['noteCase', 'noteComplaint', 'noteUser']);
  });
});

describe('masking', () => {
  /** Names of fields at every depth of a schema. */
  function fieldsOf(schema: unknown): string[] {
    if (schema === null || typeof schema !== 'object') return [];
    const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
    return [...own, ...Object.values(schema).flatMap(fieldsOf)];
  }
  /** Their names sound personal, but they hold no personal data themselves; `account` is an object, whose `bank_account` is masked. */
  const harmless = ['accountChangedAt', 'correct_account_by', 'can_correct_account', 'account'];

  it('covers every field of personal data in what support is shown', () => {
    const shown = [
      ...forAdmins.flatMap(([name, { response }]) => (isPermitted('support', name) && response ? [response] : [])),
      ...Object.entries(liveEvents).flatMap(([name, payload]) => (isPermitted('support', name) ? [payload] : [])),
    ];
    const fields = new Set(shown.flatMap((schema) => fieldsOf(z.toJSONSchema(schema, { io: 'output' }))));
    const personal = [...fields].filter((name) => /mail|phone|^ci$|_ci$|account|address|birth/i.test(name));
    expect(personal).toContain('bank_account');
    const sample = Object.fromEntries(personal.map((name) => [name, 'value@of.it']));
    const masked = maskPersonal(sample);
    const left = personal.filter((name) => masked[name] === sample[name] && !harmless.includes(name));
    expect(left).toEqual([]);
  });

  it('leaves of a value what two people can compare', () => {
    const value = {
      list: [{ email: 'ana@b.bo', phone: '+591 71234567', ci: '123', name: 'Ana', birthDate: '1990-01-01' }],
    };
    expect(maskPersonal(value)).toEqual({
      list: [{ email: 'a•••@b.bo', phone: '•••67', ci: '•••', name: 'Ana', birthDate: null }],
    });
    expect(adminRoles.filter(isMasked)).toEqual(['support']);
  });
});

it.each([
  [null, null, true],
  ['owner', null, true],
  ['owner', 'support', true],
  ['owner', 'treasurer', true],
  ['reviewer', 'support', true],
  ['reviewer', 'reviewer', true],
  [null, 'support', false],
  ['support', 'reviewer', false],
  ['reviewer', 'treasurer', false],
  ['treasurer', 'reviewer', false],
  ['reviewer', 'owner', false],
] as const)('a change from %s to %s permits nothing new: %s', (from, to, isNarrower) => {
  expect(isNarrowerRole(from, to)).toBe(isNarrower);
});
