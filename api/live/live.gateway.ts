import { Inject } from '@nestjs/common';
import { type OnGatewayInit, WebSocketGateway } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import { isMasked } from '#core/accounts/roles';
import type { ServerToBrowser } from '#core/contracts/live';
import type { Room } from '#core/contracts/live-events';
import { adminRoleOf } from '#domain/accounts/account.repository';
import { emitThrough } from '#platform/live/adapter';
import type { Emit } from '#platform/live/push';
import { type Logger, RepeatedWarnings } from '#platform/logging';
import { liveConnections } from '#platform/telemetry/metrics';
import { type Person, Sessions } from '../access/sessions.ts';
import { LOG } from '../tokens.ts';

type LiveServer = Server<Record<string, never>, ServerToBrowser, Record<string, never>, { person?: Person }>;
type EngineSocket = Socket['conn'];
type LiveSocket = Socket<Record<string, never>, ServerToBrowser, Record<string, never>, { person?: Person }>;

/** The longest timer of Node (31 bits of ms); longer sessions are checked again then. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Live connections of browsers. The server puts each into rooms by its session cookie; a browser cannot ask for a room. Events
 * go one way only, from server to browser: every request is HTTP.
 */
@WebSocketGateway()
export class LiveGateway implements OnGatewayInit<LiveServer> {
  #server: LiveServer | undefined;
  readonly #warnings: RepeatedWarnings;

  constructor(
    private readonly sessions: Sessions,
    @Inject(LOG) log: Logger,
  ) {
    this.#warnings = new RepeatedWarnings(log);
  }

  afterInit(server: LiveServer): void {
    this.#server = server;
    server.engine.on('connection', takeOneConnect);
    server.use((socket, next) => {
      this.#recognize(socket).then(
        () => next(),
        (error: unknown) => {
          const kind = error instanceof Error ? error.name : typeof error;
          this.#warnings.warn(kind, { kind }, 'a live connection was put off');
          // Socket.IO's client gives up after a refusal, but reconnects after a broken transport.
          socket.conn.close();
          next(new Error('unavailable'));
        },
      );
    });
    server.on('connection', (socket) => {
      liveConnections.inc();
      socket.on('disconnect', () => liveConnections.dec());
      if (socket.data.person) this.#hangUpAtEnd(socket, socket.data.person);
      enter(socket)
        .then(() => this.#checkAgain(socket))
        .catch(() => socket.disconnect(true));
    });
  }

  /** Sends an event to a room, in every process. */
  readonly emit: Emit = (...event) => emitThrough(this.#running())(...event);

  /** Ends every connection of a session that was closed, in every process. */
  disconnectSession(sessionId: string): void {
    this.#running().in(sessionRoom(sessionId)).disconnectSockets(true);
  }

  /** Ends every connection of a person, in every process. */
  disconnectPerson(userId: string): void {
    const room: Room = `user:${userId}`;
    this.#running().in(room).disconnectSockets(true);
  }

  #running(): LiveServer {
    if (!this.#server) throw new Error('the live server has not started');
    return this.#server;
  }

  async #recognize(socket: LiveSocket): Promise<void> {
    const person = await this.sessions.find(socket.request.headers.cookie);
    if (person) socket.data.person = person;
  }

  /**
   * A session that ended, or a role that changed, before the connection had joined its rooms was announced to rooms it was not
   * in yet. So the session is read once more after joining.
   */
  async #checkAgain(socket: LiveSocket): Promise<void> {
    const { person } = socket.data;
    if (!person) return;
    const now = await this.sessions.findAgain(person).catch(() => null);
    const isSame = now !== null && adminRoleOf(now.user) === adminRoleOf(person.user);
    if (!isSame || now.mustSetUp !== person.mustSetUp) socket.disconnect(true);
  }

  /** Disconnects the socket when its session ends; use of the session postpones that. */
  #hangUpAtEnd(socket: LiveSocket, person: Person): void {
    const leftMs = Math.min(Math.max(person.expiresAt.getTime() - Date.now(), 0), timerMsMax);
    const timer = setTimeout(async () => {
      // Not by its cookie, whose secret may have been replaced since.
      const now = await this.sessions.findAgain(person).catch(() => null);
      if (!now) socket.disconnect(true);
      else if (socket.connected) this.#hangUpAtEnd(socket, now);
    }, leftMs);
    timer.unref();
    socket.once('disconnect', () => clearTimeout(timer));
  }
}

/** Packets of Socket.IO's protocol (version 5) that a browser sends: events go from server to browser only. */
const connectPacket = '0';
const disconnectPacket = '1';

/**
 * Hangs up on a browser that sends more than one CONNECT, or anything else that our client does not: each CONNECT is a search for a session, and
 * thousands fit into one request.
 */
function takeOneConnect(connection: EngineSocket): void {
  let isConnected = false;
  connection.on('data', (packet: unknown) => {
    if (packet === disconnectPacket) return;
    if (isConnected || typeof packet !== 'string' || !packet.startsWith(connectPacket)) connection.close(true);
    isConnected = true;
  });
}

function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`;
}

/** Joins a connection to the rooms of its person; a visitor only receives what is for everyone. */
async function enter(socket: LiveSocket): Promise<void> {
  const { person } = socket.data;
  const rooms: Room[] = ['everyone'];
  if (person) rooms.push(`user:${person.user.id}`);
  const role = person && !person.mustSetUp ? adminRoleOf(person.user) : null;
  if (role) rooms.push(isMasked(role) ? 'support' : 'admins');
  await socket.join(person ? [...rooms, sessionRoom(person.sessionId)] : rooms);
}
