import { describe, expect, test } from 'vitest';
import { readStatement } from './read-statement.ts';
import { camtStatement } from './testing/camt-statement.ts';

/** Counts turns of the event loop while a promise is pending. */
async function turnsDuring(pending: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isPending = true;
  const turn = () => {
    turns += 1;
    if (isPending) setImmediate(turn);
  };
  setImmediate(turn);
  await pending.finally(() => {
    isPending = false;
  });
  return turns;
}

describe('a statement is read in a thread', () => {
  test('which leaves the event loop to others', async () => {
    // On the event loop itself there would be one or two turns.
    expect(await turnsDuring(readStatement(Buffer.from(camtStatement(1_000))))).toBeGreaterThan(50);
  });

  test('one after another', async () => {
    const order: number[] = [];
    const read = async (entries: number) => {
      const { statement } = await readStatement(Buffer.from(camtStatement(entries)));
      order.push(statement.lines.length);
    };
    await Promise.all([read(1_000), read(1)]);
    expect(order).toEqual([1_000, 1]);
  });

  test('and its problem includes the line', async () => {
    const text = camtStatement(3).replace('<NtryRef>3<', '<NtryRef>2<');
    await expect(readStatement(Buffer.from(text))).rejects.toMatchObject({
      name: 'StatementProblem',
      line: 8,
      message: 'the line 2 appears twice',
    });
  });

  test.each([
    ['time', { maxMs: 1, maxHeapMb: 256 }, 'the file takes too long to read'],
    ['memory', { maxMs: 60_000, maxHeapMb: 16 }, 'the file takes too much memory to read'],
  ])('and rejected for the %s that it takes, without affecting the next one', async (_, limits, reason) => {
    await expect(readStatement(Buffer.from(camtStatement(10_000)), limits)).rejects.toMatchObject({
      name: 'StatementProblem',
      line: null,
      message: reason,
    });
    expect((await readStatement(Buffer.from(camtStatement(1)))).statement.lines).toHaveLength(1);
  });
});
