import { expect, it } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { exceptionNames, preparedStates, tryPair } from './exception-pairs.ts';

const fixture = usePaymentFixture({ asyncDelayMs: 60_000 });

it.each(preparedStates.flatMap((state) => [true, false].map((learnsBetween) => ({ state, learnsBetween }))))(
  'a transfer that is $state survives any two exceptions (learning between them: $learnsBetween)',
  async (options) => {
    const problems: Record<string, string[]> = {};
    for (const first of exceptionNames) {
      for (const second of exceptionNames) {
        const found = await tryPair(fixture, { ...options, first, second });
        if (found && found.length > 0) problems[`${first}, ${second}`] = found;
      }
    }
    expect(problems).toEqual({});
  },
);
