import { circuitPauseMs } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { ProviderCircuit } from './operation.entity.ts';

/** When the open circuit of a provider closes; null when it is closed. */
export async function circuitOpenUntil(em: EntityManager, provider: string, now: Date): Promise<Date | null> {
  const circuit = await em.findOne(ProviderCircuit, { provider }, { refresh: true });
  return circuit?.openUntil && circuit.openUntil > now ? circuit.openUntil : null;
}

/**
 * Counts an attempt for its provider's circuit breaker. Failures while it is open are not counted: they belong to
 * attempts started before, and many at once would keep it open for long.
 */
export async function recordAnswer(
  em: EntityManager,
  provider: string,
  { answered, at }: { answered: boolean; at: Date },
): Promise<void> {
  if (answered) {
    await em.execute(
      'update provider_circuit set failures = 0, open_until = null where provider = ? and failures > 0',
      [provider],
    );
    return;
  }
  const [row] = await em.execute<{ failures: number }[]>(
    `insert into provider_circuit (provider, failures) values (?, 1)
     on conflict (provider) do update set failures = provider_circuit.failures + 1
       where provider_circuit.open_until is null or provider_circuit.open_until <= ?
     returning failures`,
    [provider, at],
  );
  const pause = row ? circuitPauseMs(row.failures) : 0;
  if (pause > 0) {
    const openUntil = new Date(at.getTime() + pause);
    await em.execute('update provider_circuit set open_until = ? where provider = ?', [openUntil, provider]);
  }
}
