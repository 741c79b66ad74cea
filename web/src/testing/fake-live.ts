import { afterEach, beforeEach } from 'vitest';
import type { LivePayload } from '#core/contracts/live';
import type { LiveEventName } from '#core/contracts/live-events';
import { queryClient } from '../data/query-client.ts';
import { askWhoIsSignedIn } from '../data/session.ts';
import { type LiveSocket, listen } from '../lib/live.ts';

/** A live connection whose pushes a component test decides. It does not stand before `connect`. */
export interface FakeLive {
  /** Opens the connection, first or again: everything that is shown is then asked again. */
  connect(): void;
  /** Breaks the connection, for this reason of Socket.IO. */
  disconnect(reason?: 'transport close' | 'io server disconnect'): void;
  /** Pushes an event. */
  push<Name extends LiveEventName>(event: Name, payload: LivePayload<Name>): void;
}

type Listener = (payload?: unknown) => void;

/** A fake live connection for the tests of a file; call it at its top level. */
export function installFakeLive(): FakeLive {
  let listeners = new Map<string, Listener>();
  let close = () => {};
  const emit = (event: string, payload?: unknown) => listeners.get(event)?.(payload);
  const socket = {
    connected: false,
    active: true,
    on: (event: string, listener: Listener) => listeners.set(event, listener),
    off: () => listeners.clear(),
    once: () => undefined,
    connect: () => undefined,
    disconnect: () => undefined,
    io: { reconnection: () => undefined },
  };
  beforeEach(() => {
    listeners = new Map();
    socket.connected = false;
    close = listen(queryClient, socket as unknown as LiveSocket, () => void askWhoIsSignedIn(queryClient));
  });
  afterEach(() => close());
  return {
    connect: () => {
      socket.connected = true;
      emit('connect');
    },
    disconnect: (reason = 'transport close') => {
      socket.connected = false;
      emit('disconnect', reason);
    },
    push: emit,
  };
}
