import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Collapse, NavLink } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import classes from './landing-b-header.module.css';
import { landingBSections } from './landing-b-sections.ts';

/** Landing page B's links below its bar, for small screens. */
export function LandingBMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Collapse expanded={opened} hiddenFrom="sm">
      <nav aria-label={t`Principal`} className={classes.menu}>
        {landingBSections.map(([to, label]) => (
          <NavLink key={to} component={Link} to={to} label={i18n._(label)} onClick={onClose} className={classes.item} />
        ))}
        <Button component={Link} to={paths.dashboard} fullWidth mt="sm" data-testid="b-start-small">
          <Trans>Iniciar</Trans>
        </Button>
      </nav>
    </Collapse>
  );
}
