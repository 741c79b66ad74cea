/** The SMTP server: without TLS or authentication, accepts messages to any address. */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerError } from 'smtp-server';
import type { SandboxContext } from '../context.ts';
import { keepMessage, takeRefusal } from './messages.ts';

/** Largest accepted message, in bytes. */
const LARGEST = 1024 * 1024;
/** How long open sessions may take after close, in milliseconds. */
const CLOSE_GRACE_MS = 1000;

export interface MailServer {
  port: number;
  close(): Promise<void>;
}

/** @param port 0 takes any free one. Rejects when it is taken. */
export async function startMailServer(options: {
  context: SandboxContext;
  port: number;
  host: string;
  log: Logger;
}): Promise<MailServer> {
  const { context, port, host, log } = options;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: LARGEST,
    closeTimeout: CLOSE_GRACE_MS,
    onRcptTo: (_address, _session, done) => done(refusal(context)),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      take(context, stream, to).then(
        (error) => done(error),
        (error) => {
          log.error({ err: error }, 'a message could not be kept');
          done(smtpError(451, 'Try again later'));
        },
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // Clients that disconnect are normal.
      server.on('error', (error) => log.debug({ err: error }, 'a mail connection failed'));
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function refusal(context: SandboxContext): SMTPServerError | null {
  const kind = context.storage.transaction(() => takeRefusal(context));
  if (kind === null) return null;
  return kind === 'temporary' ? smtpError(451, 'Try again later') : smtpError(550, 'No such mailbox here');
}

async function take(
  context: SandboxContext,
  stream: SMTPServerDataStream,
  to: string[],
): Promise<SMTPServerError | null> {
  const raw = await buffer(stream);
  if (stream.sizeExceeded) return smtpError(552, 'Message too large');
  context.storage.transaction(() => keepMessage(context, { to, raw }));
  return null;
}

function smtpError(responseCode: number, message: string): SMTPServerError {
  return Object.assign(new Error(message), { responseCode });
}
