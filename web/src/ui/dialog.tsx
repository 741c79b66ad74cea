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

/** For dialogs that are mounted open and go away altogether when closed: the keyboard returns to where it was when they opened. */
export function useReturnFocus(opened = true): void {
  const [before] = useState(() => (opened ? document.activeElement : null));
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) window.setTimeout(() => before.focus({ preventScroll: true }));
    },
    [before],
  );
}
