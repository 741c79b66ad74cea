import type { TestProject } from 'vitest/node';
import { type RunningServices, startServices } from './services.ts';

// Two projects use this set-up, each with its own copy of this module; they share the services of the run.
const shared = globalThis as { chasquiTestServices?: { running: Promise<RunningServices>; users: number } };

/** Vitest's global set-up of every project whose tests need PostgreSQL or Redis. */
export default async function setup(project: TestProject) {
  shared.chasquiTestServices ??= { running: startServices(), users: 0 };
  const { chasquiTestServices } = shared;
  chasquiTestServices.users += 1;
  const { services, stop } = await chasquiTestServices.running;
  project.provide('services', services);
  if (services.redis.kind === 'none' && chasquiTestServices.users === 1) {
    console.warn('\n  REDIS: no hay REDIS_URL ni redis-server: las pruebas sobre Redis se OMITEN.\n');
  }
  return async () => {
    chasquiTestServices.users -= 1;
    if (chasquiTestServices.users === 0) {
      delete shared.chasquiTestServices;
      await stop();
    }
  };
}
