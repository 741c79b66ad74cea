import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import type { Socket } from 'socket.io-client';
import { create } from 'zustand';
import type { Cause, LivePayload, ServerToBrowser } from '#core/contracts/live';
import { type LiveEventName, liveEventNames } from '#core/contracts/live-events';
import { noteCause } from './http.ts';

/** Whether pushes reach this browser now. Before the first connection it counts as reconnecting. */
export const useLiveStatus = create<{ connected: boolean; everConnected: boolean }>(() => ({
  connected: false,
  everConnected: false,
}));

type Writer<Name extends LiveEventName> = (queryClient: QueryClient, payload: LivePayload<Name>) => void;
const writers = new Map<LiveEventName, Set<Writer<LiveEventName>>>();

/**
 * Says how an event is written into the query cache. Called once, at the top of the file that owns the queries: their data
 * can only be in the cache when that file was loaded, so no push is missed.
 */
export function followLive<Name extends LiveEventName>(event: Name, write: Writer<Name>): void {
  const known = writers.get(event) ?? new Set();
  known.add(write as Writer<LiveEventName>);
  writers.set(event, known);
}

const reconnectMs = 500;
const reconnectMsMax = 4000;
const connection = {
  withCredentials: true,
  transports: ['websocket', 'polling'],
  reconnectionDelay: reconnectMs,
  reconnectionDelayMax: reconnectMsMax,
};

/**
 * Keeps one connection for this page. A push may be lost while there is none, so every time it (re)connects all queries ask
 * again. Connect anew when the session changes: the server puts a connection into its rooms when it opens.
 * @param onHungUp the server ended this one connection: most likely its session is over.
 * @returns how to close it.
 */
export function connectLive(queryClient: QueryClient, onHungUp: () => void): () => void {
  let close: (() => void) | null = null;
  let closed = false;
  // The page works without it; if its file cannot be loaded, the page says that it is not live.
  import('socket.io-client').then(
    ({ io }) => {
      if (!closed) close = listen(queryClient, io(connection), onHungUp);
    },
    () => undefined,
  );
  return () => {
    closed = true;
    close?.();
  };
}

/** The connection to the server, with the events that it pushes. */
export type LiveSocket = Socket<ServerToBrowser>;

/**
 * Writes into the cache what comes over a connection, which opens by itself. `onHungUp` as in `connectLive`.
 * @returns how to close it.
 */
export function listen(queryClient: QueryClient, socket: LiveSocket, onHungUp: () => void): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined;
  socket.on('connect', () => {
    useLiveStatus.setState({ connected: true, everConnected: true });
    void askAgain(queryClient);
  });
  const lost = (reason: unknown) => {
    if (reason === 'io server disconnect') onHungUp();
    useLiveStatus.setState({ connected: false });
    // After the server itself hung up or refused, Socket.IO waits for us to try again.
    clearTimeout(retry);
    if (!socket.active) retry = setTimeout(() => socket.connect(), reconnectMsMax);
  };
  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
  for (const event of liveEventNames) {
    socket.on(event, (payload: LivePayload<LiveEventName>, cause?: Cause) => {
      if (cause) noteCause(cause);
      for (const write of writers.get(event) ?? []) write(queryClient, payload);
    });
  }
  return () => {
    clearTimeout(retry);
    socket.off();
    leave(socket);
    useLiveStatus.setState({ connected: false });
  };
}

/** A browser complains of a connection that is closed before it stands: who leaves that early hangs up as soon as it does. */
function leave(socket: LiveSocket): void {
  if (socket.connected || !socket.active) {
    socket.disconnect();
    return;
  }
  socket.io.reconnection(false);
  socket.once('connect', () => socket.disconnect());
}

/**
 * Marks queries as out of date and asks again for those on screen. One whose first answer is still on its way is asked anew:
 * TanStack Query would wait for that answer, which may have been read before the change that makes us ask.
 */
export function askAgain(queryClient: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  void queryClient.cancelQueries(
    { ...filters, type: 'active', predicate: ({ state }) => state.data === undefined },
    // Who waits for the first answer gets the one that is asked for now.
    { silent: true },
  );
  return queryClient.invalidateQueries(filters);
}
