// `npm run audit:packages`: checks the packages for known vulnerabilities. Those in server packages fail it from
// severity high on, unless infra/advisory-exceptions.json excepts them; those in packages for building, testing and the
// web app are only reported.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { advisoryException, findAdvisories } from './advisories.ts';
import { root } from './paths.ts';

const listed = JSON.parse(await readFile(join(root, 'infra/advisory-exceptions.json'), 'utf8'));
const exceptions = z.array(advisoryException).parse(listed);
const today = new Date().toISOString().slice(0, 10);

async function audit(...options: string[]): Promise<string[] | undefined> {
  const { stdout } = await execa('npm', ['audit', '--json', ...options], {
    cwd: root,
    reject: false,
    timeout: 120_000,
  });
  return findAdvisories(String(stdout), exceptions, today);
}

const serious = await audit('--omit=dev');
if (serious === undefined) {
  console.log('Paquetes: el registro no responde o no informa de fallos conocidos; NO se revisaron.');
} else {
  const others = ((await audit()) ?? []).filter((line) => !serious.includes(line));
  for (const line of others) console.log(`Paquetes de desarrollo y de la web: ${line}`);
  for (const line of serious) console.log(`Paquetes de los servidores: ${line}`);
  console.log(
    `Paquetes: ${serious.length} fallos graves sin excepción en los servidores, ${others.length} en los demás.`,
  );
  if (serious.length > 0) process.exitCode = 1;
}
