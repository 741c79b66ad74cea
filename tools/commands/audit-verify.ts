import { type Anchor, verifyAudit } from '#domain/audit/verify';
import { readAdminConfiguration } from '#platform/configuration/commands';
import { CommandRefused, runCommand, withDatabase } from './command.ts';

/**
 * Command: `npm run audit:verify` recomputes the audit log's hash chain and reports the first row that does not match;
 * the exit code is then 1. `npm run audit:verify -- 1234:HASH` also checks that the chain still contains the link
 * recorded earlier.
 */
await runCommand(async () => {
  const anchor = readAnchor(process.argv[2]);
  await withDatabase(readAdminConfiguration().databaseUrl, async (database) => {
    const { checked, head_hash: hash, broken } = await verifyAudit(database, anchor);
    if (!broken) {
      console.log(
        `La cadena está entera: ${checked} filas. Anota su final fuera de esta base: ${checked}:${hash ?? ''}`,
      );
      return;
    }
    const where = `posición ${broken.position ?? 'sin enlace'}, entrada ${broken.entry_id ?? 'ninguna'}`;
    throw new CommandRefused(`La cadena está rota tras ${checked} filas: ${where} (${broken.problem}).`);
  });
});

/** @throws CommandRefused for anything but "1234:hash". */
function readAnchor(text: string | undefined): Anchor | null {
  if (text === undefined) return null;
  const [, position, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!position || !hash) throw new CommandRefused('Escribe el final anotado así: npm run audit:verify -- 1234:HASH');
  return { position: Number(position), hash };
}
