// `npm start`: the whole product on this machine (run.ts).
import type { Config } from './config.ts';
import { run } from './run.ts';

await run({ start: async () => {}, stop: async () => {}, announce });

/** Addresses and accounts to begin with. */
function announce({ publicUrl, sandbox, demoPassword, redisUrl }: Config): string[] {
  const lines = ['', `Chasqui está listo: ${publicUrl}`];
  if (demoPassword) {
    lines.push(
      '',
      'Cuentas de ejemplo',
      `  remitente       demo@chasqui.test  / ${demoPassword}`,
      `  administración  admin@chasqui.test y admin2@chasqui.test / ${demoPassword}`,
    );
  }
  lines.push(
    '',
    `Colas            ${publicUrl}/ops/queues (como administración; en ${redisUrl ? 'Redis' : 'PostgreSQL'})`,
  );
  if (sandbox) {
    lines.push(
      `Simulador        http://localhost:${sandbox.port} (Stripe, el banco y el correo; no se cobra ninguna tarjeta)`,
    );
    lines.push('Tarjeta de prueba 4242 4242 4242 4242, cualquier fecha futura y cualquier CVC');
  }
  lines.push('', 'Ctrl-C lo detiene todo.', '');
  return lines;
}
