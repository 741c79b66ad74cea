import { Trans } from '@lingui/react/macro';
import { Anchor, Card, Container, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type LegalText, legalTexts } from '../../data/legal-texts.ts';
import { useHydrated } from '../../lib/document.ts';
import { formatDay } from '../../lib/format/dates.ts';
import { paths } from '../../lib/paths.ts';
import { LegalSections } from '../../ui/legal-sections.tsx';
import classes from './legal-page.module.css';

/** A legal text as a page of its own. The date is today's, as the specification has it: this text is in force now. */
export function LegalPage({ text }: { text: LegalText }) {
  const { title, sections } = legalTexts()[text];
  const today = useHydrated() ? formatDay(new Date().toISOString()) : '';
  return (
    <Container size={760} py={{ base: 'lg', sm: 'xl' }} px={{ base: 'md', sm: 'lg' }}>
      <Stack gap="lg">
        <Anchor component={Link} to={paths.home} c="inherit">
          <IconArrowLeft size={16} aria-hidden style={{ verticalAlign: '-2px' }} /> <Trans>Volver al inicio</Trans>
        </Anchor>
        <div>
          <Title order={1}>{title}</Title>
          <Text c="dimmed" mt={4}>
            <Trans>Última actualización: {today}</Trans>
          </Text>
        </div>
        <Card padding="xl" className={classes.sheet}>
          <LegalSections sections={sections} order={2} />
        </Card>
      </Stack>
    </Container>
  );
}
