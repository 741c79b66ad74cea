import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatDay } from '../../lib/dates.ts';
import { useHydrated } from '../../lib/hydration.ts';
import { type LegalText, legalTexts } from '../../lib/legal-texts.ts';
import { paths } from '../../lib/paths.ts';
import { LegalSections } from '../../ui/legal-sections.tsx';

/** A legal text as a page of its own. The date is today's, as the specification has it: these words are in force now. */
export function LegalPage({ text }: { text: LegalText }) {
  const { title, sections } = legalTexts[text];
  const hydrated = useHydrated();
  return (
    <Container size={760} py="xl">
      <Stack>
        <Anchor component={Link} to={paths.home} c="inherit">
          <IconArrowLeft size={16} aria-hidden style={{ verticalAlign: '-2px' }} /> Volver al inicio
        </Anchor>
        <Title order={1}>{title}</Title>
        <Text c="dimmed" fz="sm">
          Última actualización: {hydrated && formatDay(new Date().toISOString())}
        </Text>
        <LegalSections sections={sections} order={2} />
      </Stack>
    </Container>
  );
}
