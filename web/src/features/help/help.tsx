import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Anchor, Card, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch, IconZoomQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useDeferredValue, useState } from 'react';
import { contactQuery } from '../../data/contact.ts';
import { helpSubjects, searchHelp } from '../../data/help.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { arrivalTimesQuery } from '../../data/rates.ts';
import { useCompany } from '../../lib/document.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Questions } from '../../ui/questions.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ContactButtons } from '../shared/contact-buttons.tsx';
import classes from './help.module.css';

/** Comes with the foot of every page. */
const CompanyNotice = lazy(() => import('../shared/company-notice.tsx'));

/** Questions by subject, a search over them, and how to reach a person. */
export function Help() {
  const [search, setSearch] = useState('');
  const shown = useDeferredValue(search);
  const company = useCompany();
  const contact = useOptionalQuery(contactQuery);
  const subjects = helpSubjects({ contact, company, arrival: useOptionalQuery(arrivalTimesQuery)?.times });
  const found = searchHelp(shown, subjects);
  const count = found.reduce((sum, { topics }) => sum + topics.length, 0);
  const searching = shown.trim() !== '';
  return (
    <div className={classes.columns}>
      <Stack gap="xl">
        <search>
          <TextInput
            label={t`Busca en la ayuda`}
            type="search"
            size="lg"
            placeholder={t`reembolso, recibo, cuánto tarda…`}
            leftSection={<IconSearch size={20} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            autoComplete="off"
            data-testid="help-search"
          />
          <Text aria-live="polite" c="dimmed" mt="xs" mih="1.6em" data-testid="help-count">
            {searching && <Plural value={count} one="# respuesta" other="# respuestas" />}
          </Text>
        </search>
        {found.length === 0 && (
          <EmptyState icon={<IconZoomQuestion size={32} stroke={1.5} aria-hidden />}>
            {contact?.whatsapp || contact?.email ? (
              <Trans>
                No encontramos una respuesta. Prueba con una sola palabra o escríbenos: responde una persona.
              </Trans>
            ) : (
              <Trans>
                No encontramos una respuesta. Prueba con una sola palabra; si es sobre un envío, abre su detalle en tu
                panel y elige «Reportar un problema».
              </Trans>
            )}
          </EmptyState>
        )}
        {found.map(({ title, topics }) => (
          <section key={title} aria-label={title}>
            <Title order={2} mb="xs">
              {title}
            </Title>
            {/* A single answer is opened for the person. */}
            <Questions
              key={count === 1 ? 'only' : 'some'}
              topics={topics}
              order={3}
              {...(searching && count === 1 && topics[0] && { open: topics[0].id })}
            />
          </section>
        ))}
      </Stack>
      <Stack className={classes.aside}>
        <Contact />
        {company && (
          <Card component="section" aria-labelledby="help-company">
            <Title order={2} id="help-company" fz="lg" mb={4}>
              <Trans>Quién mueve tu dinero</Trans>
            </Title>
            <LazyPart missing={null}>
              <CompanyNotice />
            </LazyPart>
          </Card>
        )}
        <nav aria-label={t`Temas`} className={classes.subjects}>
          <Text fw={600}>
            <Trans>Temas</Trans>
          </Text>
          {subjects.map(({ title, topics }) => (
            <Anchor
              key={title}
              component="button"
              type="button"
              ta="left"
              onClick={() => {
                setSearch('');
                requestAnimationFrame(() => document.querySelector(`[aria-label="${title}"]`)?.scrollIntoView());
              }}
            >
              {title} ({topics.length})
            </Anchor>
          ))}
        </nav>
      </Stack>
    </div>
  );
}

/** WhatsApp and e-mail, as far as they are configured; nothing at all when none is. */
function Contact() {
  return (
    <QueryView
      query={useQuery(contactQuery)}
      loading={
        <ContactCard>
          <Skeleton height={42} />
        </ContactCard>
      }
    >
      {({ whatsapp, email }) =>
        (whatsapp || email) && (
          <ContactCard>
            <ContactButtons />
          </ContactCard>
        )
      }
    </QueryView>
  );
}

function ContactCard({ children }: { children: ReactNode }) {
  return (
    <Card component="section" aria-labelledby="help-contact" data-testid="help-contact">
      <Title order={2} id="help-contact" fz="lg">
        <Trans>Habla con una persona</Trans>
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        <Trans>En español, sin compromiso.</Trans>
      </Text>
      {children}
    </Card>
  );
}
