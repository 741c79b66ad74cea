import { i18n, type MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Collapse, NavLink } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import classes from './landing-b.module.css';

/** Landing page B's links below its bar, for small screens. */
export function LandingBMenu(props: {
  /** Addresses on the page, each with its name. */
  sections: readonly (readonly [string, MessageDescriptor])[];
  opened: boolean;
  onClose: () => void;
}) {
  const { sections, opened, onClose } = props;
  return (
    <Collapse expanded={opened} hiddenFrom="sm">
      <nav aria-label={t`Principal`} className={classes.menu}>
        {sections.map(([to, label]) => (
          <NavLink key={to} component={Link} to={to} label={i18n._(label)} onClick={onClose} className={classes.item} />
        ))}
        <Button component={Link} to={paths.dashboard} fullWidth mt="sm" data-testid="b-start-small">
          <Trans>Iniciar</Trans>
        </Button>
      </nav>
    </Collapse>
  );
}
