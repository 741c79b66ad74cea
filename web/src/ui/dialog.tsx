import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useCloseOnBack } from './dialog-history.ts';

interface OwnProps {
  /** False while it must stay open, as when the card is being asked. */
  closable?: boolean;
  /** It has an address of its own, which "back" leaves by itself. */
  ownAddress?: boolean;
}

/** A dialog above the page. "Back" closes it, and the keyboard returns to where it was. */
export function Dialog({ closable = true, ownAddress = false, ...props }: ModalProps & OwnProps) {
  useDialog(props, closable, ownAddress);
  return <Modal closeOnEscape={closable} withCloseButton={closable} onSubmit={keepInside} {...props} />;
}

/** A dialog at the side of the page, for menus and details beside a list. */
export function SideDialog({ closable = true, ownAddress = false, ...props }: DrawerProps & OwnProps) {
  useDialog(props, closable, ownAddress);
  return <Drawer closeOnEscape={closable} withCloseButton={closable} onSubmit={keepInside} {...props} />;
}

/** React hands events of a dialog on to what surrounds its component: a form in it must not submit a form there. */
const keepInside = (event: SyntheticEvent) => event.stopPropagation();

function useDialog({ opened, onClose }: { opened: boolean; onClose: () => void }, closable: boolean, own: boolean) {
  useCloseOnBack(opened && !own, () => closable && onClose());
  useReturnFocus(opened);
}

/** How many dialogs are open. */
let open = 0;
/** Where the keyboard goes on when the dialog that closes now has closed. */
let goOn: (() => HTMLElement | null) | null = null;

/** The keyboard returns to where it was when the dialog opened, or goes on as `focusAfterDialog` says. */
export function useReturnFocus(opened = true): void {
  useEffect(() => {
    if (!opened) return;
    open += 1;
    goOn = null;
    return () => {
      open -= 1;
      // It stays for the other dialogs that close now, until one opens.
      window.setTimeout(() => goOn && leadOn(goOn));
    };
  }, [opened]);
  // Mantine itself does the rest for dialogs that stay mounted, not for those that go away altogether when closed.
  const [before] = useState(() => (opened ? document.activeElement : null));
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) window.setTimeout(() => goOn ?? before.focus({ preventScroll: true }));
    },
    [before],
  );
}

/** Leads eye and keyboard to what `find` answers once the dialog that closes now has closed; where none is open, in a moment. */
export function focusAfterDialog(find: () => HTMLElement | null): void {
  if (open > 0) goOn = find;
  else window.setTimeout(() => leadOn(find));
}

function leadOn(find: () => HTMLElement | null): void {
  const next = find();
  next?.scrollIntoView({ block: 'center' });
  next?.focus();
}
