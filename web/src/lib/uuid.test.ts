import { expect, it } from 'vitest';
import { z } from 'zod';
import { newUuid } from './uuid.ts';

it('makes a valid UUID each time, another one every time', () => {
  const made = Array.from({ length: 200 }, newUuid);
  expect(new Set(made).size).toBe(200);
  for (const uuid of made) expect(z.uuidv4().safeParse(uuid).success, uuid).toBe(true);
});
