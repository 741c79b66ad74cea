import { Cursor } from '@mikro-orm/core';
import { expect, it } from 'vitest';
import { pageOptions } from './pages.ts';

const created = Cursor.encode(['2026-11-20T15:00:00.000Z', '0b5a4a34-7f0b-4c7e-9d4b-1f2f0a1d9c11']);
const numbered = Cursor.encode(['17']);

it('passes a cursor of the list on to the database, and none for the first page', () => {
  expect(pageOptions({ limit: 20 }, 'created')).toEqual({ first: 20, includeCount: false });
  expect(pageOptions({ limit: 20, cursor: created }, 'created')).toMatchObject({ first: 20, after: created });
  expect(pageOptions({ limit: 5, cursor: numbered }, 'numbered')).toMatchObject({ first: 5, after: numbered });
});

it.each([
  ['empty text', '', 'numbered'],
  ['no JSON', 'xyz', 'created'],
  ['a cursor of a list by number', numbered, 'created'],
  ['a cursor of a list by creation', created, 'numbered'],
  ['a number out of range', Cursor.encode(['9'.repeat(30)]), 'numbered'],
  ['an operator instead of a value', Cursor.encode([{ $ne: 1 }]), 'numbered'],
] as const)('refuses %s as a cursor', (_name, cursor, order) => {
  expect(() => pageOptions({ limit: 20, cursor }, order)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
