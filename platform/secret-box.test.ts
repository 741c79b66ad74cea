import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from './secret-box.ts';

const [older, newer] = [randomBytes(32), randomBytes(32)] as const;

test('a secret is read again by its owner alone, and the same one never looks the same', () => {
  const box = new SecretBox([older]);
  const encrypted = box.encrypt('ABCDEF', 'ana');
  expect(box.decrypt(encrypted, 'ana')).toBe('ABCDEF');
  expect(encrypted).not.toContain('ABCDEF');
  expect(box.encrypt('ABCDEF', 'ana')).not.toBe(encrypted);
  expect(() => box.decrypt(encrypted, 'luis')).toThrow();
});

test('a secret that was changed is not read', () => {
  const box = new SecretBox([older]);
  const [id, body = ''] = box.encrypt('ABCDEF', 'ana').split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (const at of [0, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.decrypt(`${id}.${changed.toString('base64url')}`, 'ana')).toThrow();
  }
  expect(() => box.decrypt(`${id}.`, 'ana')).toThrow();
});

test('a new key encrypts while the old one still decrypts, until it is taken away', () => {
  const encrypted = new SecretBox([older]).encrypt('ABCDEF', 'ana');
  const both = new SecretBox([newer, older]);
  expect(both.decrypt(encrypted, 'ana')).toBe('ABCDEF');
  expect(both.isOutdated(encrypted)).toBe(true);
  expect(both.isOutdated(both.encrypt('ABCDEF', 'ana'))).toBe(false);
  expect(() => new SecretBox([newer]).decrypt(encrypted, 'ana')).toThrow('not configured');
});
