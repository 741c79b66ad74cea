import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRoot, root, sharedHome } from '../paths.ts';

/** A copy of this checkout in a folder that only its owner can enter, to start the product from. */
export interface Checkout {
  directory: string;
  /** Where its data is kept. */
  home: string;
  /** `npm start` in a separate process group, like a terminal's. */
  npmStart: (env: Record<string, string>) => StartedProduct;
  /** The processes that run for it. */
  processes: () => { pid: number; command: string }[];
  remove: () => Promise<void>;
}

export interface StartedProduct {
  /** Everything it has printed. */
  output: () => string;
  /** Resolves when the output holds the text; throws with the output when it ends first. */
  prints: (text: string) => Promise<void>;
  /** Signals npm and everything else in the foreground, as a terminal does; SIGINT, as by Ctrl-C, unless another is named. */
  interrupt: (signal?: NodeJS.Signals) => void;
  /** The process that supervises the servers. */
  supervisorPid: () => number;
  /** The process of npm. */
  pid: number;
  ended: Promise<number | null>;
}

/** `fresh`: without the packages and the build of this checkout, which its first start then makes. */
export async function copyCheckout({ fresh = false } = {}): Promise<Checkout> {
  const locked = await mkdtemp(join(await realpath(tmpdir()), 'chasqui-start-'));
  const directory = join(locked, 'chasqui');
  await mkdir(directory);
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const file of String(listed).split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await cp(join(root, file), join(directory, file));
  }
  if (!fresh) {
    await cp(join(root, 'dist'), join(directory, 'dist'), {
      recursive: true,
      filter: (path) => !basename(path).startsWith('.building'),
    });
    await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  }
  await chmod(locked, 0o700);
  const home = isRoot ? join(sharedHome, `chasqui-${shortHash(directory)}`) : join(directory, '.data');
  const processes = () =>
    String(execFileSync('ps', ['-eo', 'pid,args']))
      .split('\n')
      .filter((line) => line.includes(locked) || line.includes(home))
      .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+ /, '') }));
  return {
    directory,
    home,
    npmStart: (env) => npmStart(directory, env),
    processes,
    remove: async () => {
      await rm(locked, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** As paths.ts names a checkout's data. */
function shortHash(directory: string): string {
  return createHash('sha256').update(directory).digest('hex').slice(0, 10);
}

function npmStart(directory: string, env: Record<string, string>): StartedProduct {
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnvironment(process.env), ...env },
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    output: () => output,
    prints: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without printing «${text}»:\n${output}`)));
      }),
    interrupt: (signal = 'SIGINT') => {
      try {
        process.kill(-(child.pid as number), signal);
      } catch {
        // It has ended already.
      }
    },
    supervisorPid: () => {
      const lines = String(execFileSync('ps', ['-eo', 'pid,pgid,args'])).split('\n');
      const line = lines.find((text) => text.includes('node infra/bootstrap.mjs infra/start.ts') && ofGroup(text));
      return Number(line?.trim().split(/\s+/)[0]);
    },
    pid: child.pid as number,
    ended,
  };

  function ofGroup(line: string): boolean {
    return line.trim().split(/\s+/)[1] === String(child.pid);
  }
}

/** Without the developer's own settings and the variables of npm and Vitest. */
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'USER'];
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept.includes(name)));
}
