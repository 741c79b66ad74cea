import { Button, Code, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import classes from './not-found.module.css';
import { Page } from './page.tsx';

/** Any address that is none of ours. */
export function NotFound() {
  return (
    <Page title="404 Page Not Found" lead="No encontramos esta página." size={720}>
      <div className="cq-chevrons" aria-hidden />
      <Text fz="lg">Puede que la dirección esté mal escrita o que la página ya no exista.</Text>
      <Code block className={classes.hint}>
        Did you forget to add the page to the router?
      </Code>
      <Group>
        <Button component={Link} to={paths.home}>
          Volver al inicio
        </Button>
        <Button component={Link} to={paths.help} variant="default">
          Buscar en Ayuda
        </Button>
      </Group>
    </Page>
  );
}
