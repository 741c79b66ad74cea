import { connect, createServer, type Socket } from 'node:net';

/** Interval of the readiness checks of each target, in ms: periodic as an orchestrator's, not per connection. */
const askMs = 250;
/** How long a connection waits for a target that takes it, in ms, and how long between two rounds. */
const patienceMs = 15_000;
const roundMs = 100;

/** A load balancer for TCP: each connection goes to the next replica that is ready, and to another one if that does not take it. */
export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on `port`; a target gets connections while its `readyPath` answers 2xx. */
export async function startBalancer(port: number, targets: readonly number[], readyPath: string): Promise<Balancer> {
  let ready: readonly number[] = [];
  let turn = 0;
  let closed = false;
  const open = new Set<Socket>();

  const ask = async () => {
    const answers = await Promise.all(targets.map((target) => isReady(`http://127.0.0.1:${target}${readyPath}`)));
    ready = targets.filter((_, index) => answers[index]);
  };
  const timer = setInterval(() => void ask(), askMs);

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, async (client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    const target = await take();
    if (!target || client.destroyed) {
      target?.destroy();
      client.destroy();
      return;
    }
    open.add(target);
    target.on('close', () => {
      open.delete(target);
      client.destroy();
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
    client.pipe(target);
    target.pipe(client);
    client.resume();
  });

  async function take(): Promise<Socket | undefined> {
    for (const end = Date.now() + patienceMs; Date.now() < end && !closed; ) {
      for (let tried = 0; tried < ready.length; tried += 1) {
        const port = ready[turn++ % ready.length] as number;
        const socket = await reach(port);
        if (socket) return socket;
      }
      await new Promise((resolve) => setTimeout(resolve, roundMs));
    }
    return undefined;
  }

  await ask();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    close: () => {
      closed = true;
      clearInterval(timer);
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000), headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function reach(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
