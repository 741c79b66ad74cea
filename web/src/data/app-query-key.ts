declare const fromFactory: unique symbol;

/** Whose data a key stands for: everybody's, who is signed in, the signed-in sender's, or what administrators see. */
export type Scope = 'public' | 'session' | 'sender' | 'admin';

/** A query key. Only the factories (`*-keys.ts`) make one: the type checker takes no array in its place. */
export type AppQueryKey = readonly [Scope, ...unknown[]] & { readonly [fromFactory]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: AppQueryKey;
  }
}

/** Whether the data of a key go away when another person signs in or out. */
export const isPersonal = ([scope]: AppQueryKey): boolean => scope !== 'public' && scope !== 'session';
