import { createServer } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { readConfig } from './config.ts';
import { Failure } from './failure.ts';
import { freePort } from './ports.ts';
import { Supervisor } from './supervisor.ts';

// What `npm start` shows of a failure is its message alone (run.ts); start.soak.ts shows that of one, in a terminal.

/** The failure of a start with these variables, before any server of ours is started. */
async function failureOf(more: Record<string, string>): Promise<Failure> {
  const ports = { PORT: await freePort(), SANDBOX_PORT: await freePort(), SANDBOX_SMTP_PORT: await freePort() };
  const given = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const start = async () => {
    const supervisor = new Supervisor(readConfig({ DATABASE_URL: inject('services').databaseUrl, ...given, ...more }));
    await supervisor.start().finally(() => supervisor.stop());
  };
  const failure = await start().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Failure);
  return failure as Failure;
}

describe('a start that fails', () => {
  it.each(['PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT'])(
    'says which port is in use and how %s chooses another',
    async (name) => {
      const other = createServer();
      const port = await freePort();
      await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
      onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
      const { message } = await failureOf({ [name]: String(port) });
      expect(message).toMatch(new RegExp(`^El puerto ${port} está ocupado: .*${name}=${port + 100} npm start`));
    },
  );

  it.each([
    [
      'nothing answers at DATABASE_URL',
      'postgresql://yo:secreto@127.0.0.1:1/chasqui',
      /^No se puede usar la base de datos de DATABASE_URL \(127\.0\.0\.1:1\/chasqui\): .*ECONNREFUSED/,
    ],
    [
      'DATABASE_URL is no address of PostgreSQL',
      'mysql://yo:secreto@127.0.0.1/chasqui',
      /^DATABASE_URL no es una dirección de PostgreSQL/,
    ],
  ])('says without the password that %s', async (_, DATABASE_URL, message) => {
    const failure = await failureOf({ DATABASE_URL });
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('secreto');
  });

  it('says that Redis does not answer', async () => {
    const { message } = await failureOf({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(message).toMatch(/^No se puede usar el Redis de REDIS_URL: .*ECONNREFUSED/);
  });

  it('says that a port is no number', async () => {
    expect((await failureOf({ PORT: 'tres mil' })).message).toMatch(/^PORT debe ser un número de puerto/);
  });

  it('says what is missing besides a live key', async () => {
    const { message } = await failureOf({ STRIPE_SECRET_KEY: 'sk_live_x' });
    expect(message).toMatch(/^- [A-Z_]+ (must be|is missing)/m);
  });
});
