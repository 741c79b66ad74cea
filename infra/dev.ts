// `npm run dev`: the product as `npm start` runs it, and: the servers are compiled and restarted at every change, and
// Vite serves the web app with hot reload.
import type { Config } from './config.ts';
import { freePort, isPortFree } from './ports.ts';
import { run } from './run.ts';
import { bundledLine } from './servers.ts';
import { Service } from './service.ts';
import type { Supervisor } from './supervisor.ts';
import { printer } from './terminal.ts';

const usualVitePort = 5173;

let vitePort = usualVitePort;
const watchers: Service[] = [];

await run({
  start,
  stop: async () => {
    for (const watcher of watchers) await watcher.close();
  },
  announce: ({ port }: Config) => [
    '',
    `Desarrollo: http://localhost:${vitePort} (recarga al guardar; la api está en el puerto ${port})`,
    'Ctrl-C lo detiene todo.',
    '',
  ],
});

async function start(config: Config, supervisor: Supervisor): Promise<void> {
  vitePort = (await isPortFree(usualVitePort)) ? usualVitePort : await freePort();
  await Promise.all([startCompiler(supervisor), startVite(config)]);
}

/** Restarts the servers after every compilation but the first, whose result they already run. */
async function startCompiler(supervisor: Supervisor) {
  const print = printer('servidores');
  let compilations = 0;
  let restart = Promise.resolve();
  const compiler = new Service({
    name: 'compiler',
    argv: ['infra/servers.ts', '--watch'],
    env: process.env,
    ready: { line: new RegExp(bundledLine) },
    onLine: (line) => {
      if (line.trim() !== '') print(line);
      if (line !== bundledLine) return;
      compilations += 1;
      // One after another: a change while the servers restart restarts them once more.
      if (compilations > 1) restart = restart.then(() => supervisor.restartServers());
    },
  });
  watchers.push(compiler);
  await compiler.start();
}

async function startVite({ port }: Config) {
  const vite = new Service({
    name: 'vite',
    argv: [
      'node_modules/vite/bin/vite.js',
      '--config',
      'web/vite.config.ts',
      '--port',
      String(vitePort),
      '--strictPort',
    ],
    env: { ...process.env, PORT: String(port) },
    ready: { line: /ready in/ },
    onLine: printer('vite'),
  });
  watchers.push(vite);
  await vite.start();
}
