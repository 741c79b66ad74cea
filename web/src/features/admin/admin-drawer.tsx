import { Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SideDialog } from '../../ui/dialog.tsx';
import classes from './admin.module.css';

/** Everything about one thing of a list, beside the list; over the whole screen on a phone. */
export function AdminDrawer({
  id,
  title,
  locked,
  close,
  testid,
  children,
}: {
  /** Null closes the drawer. */
  id: string | null;
  title: string;
  /** A dialog stands above: keys and clicks are its own. */
  locked: boolean;
  close: () => void;
  testid: string;
  children: (id: string) => ReactNode;
}) {
  // The content stays while the drawer slides out.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);
  return (
    <SideDialog
      opened={id !== null}
      onClose={close}
      position="right"
      size="lg"
      title={<DialogTitle>{title}</DialogTitle>}
      closeOnEscape={!locked}
      closeOnClickOutside={!locked}
      classNames={{ content: classes.drawer ?? '', header: classes.drawerHeader ?? '', body: classes.drawerBody ?? '' }}
      data-testid={testid}
    >
      {shown !== null && children(shown)}
    </SideDialog>
  );
}

/** Title of a dialog or drawer in the type of headings; the element around it is the heading. */
export function DialogTitle({ children }: { children: ReactNode }) {
  return (
    <Text component="span" className="cq-big" fz="lg">
      {children}
    </Text>
  );
}

/** A titled part of a drawer or dialog. Its heading is how people get to it: landmarks of this number would be in their way. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}
