// The first step of every npm script: makes a fresh clone usable, then hands over to the project's own Node 24.
//
//   node infra/bootstrap.mjs [--watch ...node options] <script> [arguments]
//   node infra/bootstrap.mjs                     (only installs)
//
// Runs on whatever Node started npm, so it is plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import * as module from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const oldestNode = 24;
/** The Node that runs npm: unlike that of the packages it is not removed with them. */
const outsideNode = process.env.npm_node_execpath ?? process.execPath;
const nodeMajor = Number(process.versions.node.split('.')[0]);
/**
 * An image installs only the packages of the built servers: it has its own Node, and the browser's packages are in the
 * build.
 */
const serversOnly = process.env.CHASQUI_PACKAGES === 'servers';

/** Ends with a message for the person at the terminal. */
function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Exists while packages are installed and holds the pid of npm. If it exists at the start, the last installation was interrupted, and npm would
 * take half-unpacked packages for complete.
 */
const unfinished = join(modules, '.installing');

/** Removes the packages of an interrupted installation, and kills its npm if that outlived its parent. */
function removeUnfinished() {
  if (!existsSync(unfinished)) return;
  console.log('La instalación anterior se interrumpió: se empieza de nuevo.');
  const pid = Number(readFileSync(unfinished, 'utf8'));
  if (pid > 0 && isNpm(pid)) process.kill(pid, 'SIGKILL');
  rmSync(modules, { recursive: true, force: true, maxRetries: 10 });
}

/** Whether a process is npm; its pid may have been reused. Known on Linux only. */
function isNpm(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('npm');
  } catch {
    return false;
  }
}

/** Packages the lockfile wants and what npm noted at the end of its last complete installation. */
function packagesMissing() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  if (!wanted) fail('Falta package-lock.json o está dañado: recupéralo con «git checkout package-lock.json».');
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  if (!installed) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    if (path === '' || entry.link) return false;
    if (installed[path]) return installed[path].version !== entry.version;
    // Packages of other platforms are optional and rightly absent.
    const forDevelopment = entry.dev || entry.devOptional;
    return !(entry.optional || entry.os || entry.cpu || (forDevelopment && serversOnly));
  });
}

/**
 * `npm install --no-save`, not `npm ci`: the latter refuses a lockfile that does not list the optional packages of
 * every other platform. Versions and checksums come from the lockfile either way, and it is not changed.
 */
async function install() {
  console.log('Instalando los paquetes (la primera vez tarda alrededor de un minuto)…');
  const started = Date.now();
  const kinds = ['dev', 'optional'].map((kind) => `--${serversOnly ? 'omit' : 'include'}=${kind}`);
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', ...kinds];
  const progress = setInterval(() => {
    console.log(`  … descargando y desempaquetando: ${Math.round((Date.now() - started) / 1000)} s`);
  }, 5_000);
  mkdirSync(modules, { recursive: true });
  writeFileSync(unfinished, '');
  await runNpm(options, outsideNode);
  // npm leaves out optional packages that ask for a newer Node than the one it runs on.
  const own = nodeProgram();
  if (own !== outsideNode && nodeMajor < oldestNode) await runNpm(options, own);
  clearInterval(progress);
  rmSync(unfinished, { force: true });
  console.log(`Paquetes instalados en ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Runs npm on a given Node; ends with a message for the person at the terminal when it fails. */
async function runNpm(options, node) {
  const npm = process.env.npm_execpath;
  const onStart = (pid) => writeFileSync(unfinished, String(pid));
  const ended = npm?.endsWith('.js')
    ? await run(node, [npm, ...options], { onStart })
    : await run('npm', options, {
        onStart,
        shell: process.platform === 'win32',
        env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
      });
  if (ended.error) fail(`No se pudo ejecutar npm (${ended.error.code}): instala npm y vuelve a intentarlo.`);
  if (ended.signal) process.exit(130);
  if (ended.code !== 0) {
    fail(
      'npm no pudo instalar los paquetes: revisa la conexión con el registro de npm y los permisos de esta carpeta.',
    );
  }
}

/** Runs a program to its end, passing on the signals that reach this process. `onStart` gets the number of its process. */
function run(program, argv, { onStart, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, argv, { cwd: root, stdio: 'inherit', ...options });
    onStart?.(child.pid ?? 0);
    const forward = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const end = (result) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(result);
    };
    child.on('error', (error) => end({ error }));
    child.on('exit', (code, signal) => end({ code, signal }));
  });
}

/** The Node that comes with the packages, or the running one if the packages have none for this platform. */
function nodeProgram() {
  for (const name of ['node', 'node.exe']) {
    const own = join(modules, '.bin', name);
    if (existsSync(own)) return own;
  }
  if (nodeMajor >= oldestNode) return process.execPath;
  return fail(
    `No hay un Node ${oldestNode} para ${process.platform}-${process.arch} entre los paquetes: instala Node ${oldestNode} o posterior (aquí corre ${process.version}).`,
  );
}

/** Ends this process with npm: a person cannot stop one that outlives it, and the next `npm start` would find it running. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

process.chdir(root);
endWithNpm();
removeUnfinished();
if (packagesMissing()) await install();
const [script, ...argv] = process.argv.slice(2);
if (script !== undefined) {
  const node = nodeProgram();
  // npm finds the project's own Node first once it is installed; then no second process is needed.
  if (!script.startsWith('-') && realpathSync(node) === realpathSync(process.execPath)) await become(script, argv);
  else await handOver(node, [script, ...argv]);
}

/** Runs a script of this checkout in this process. What Node compiled of it is kept. */
async function become(script, argv) {
  module.enableCompileCache(join(modules, '.cache', 'node'));
  const path = join(root, script);
  process.argv = [process.execPath, path, ...argv];
  await import(pathToFileURL(path).href);
}

async function handOver(node, argv) {
  const ended = await run(node, argv);
  if (ended.error) fail(`No se pudo ejecutar Node ${oldestNode} (${ended.error.code ?? ended.error.message}).`);
  // As a shell would report a child ended by a signal.
  process.exit(ended.signal ? 128 + constants.signals[ended.signal] : ended.code);
}
