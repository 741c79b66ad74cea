import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Anchor, Button, Card, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconBrandWhatsapp, IconMail, IconSearch, IconZoomQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { contactQuery, helpSubjects, searchHelp } from '../../data/help.ts';
import { Questions } from '../../ui/questions.tsx';
import { EmptyState } from '../../ui/states.tsx';
import classes from './help.module.css';

/** Questions by subject, a search over them, and how to reach a person. */
export function Help() {
  const [search, setSearch] = useState('');
  const shown = useDeferredValue(search);
  const found = searchHelp(shown);
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
            placeholder={t`cancelar, banco, comisión…`}
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
            <Trans>No encontramos una respuesta. Prueba con otra palabra o escríbenos.</Trans>
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
        <nav aria-label={t`Temas`} className={classes.subjects}>
          <Text fw={600}>
            <Trans>Temas</Trans>
          </Text>
          {helpSubjects().map(({ title, topics }) => (
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
  const { data, isPending } = useQuery(contactQuery);
  if (!isPending && !data?.whatsapp && !data?.email) return null;
  return (
    <Card component="section" aria-labelledby="help-contact" data-testid="help-contact">
      <Title order={2} id="help-contact" fz="lg">
        <Trans>Habla con una persona</Trans>
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        <Trans>En español, sin compromiso.</Trans>
      </Text>
      <Stack gap="xs">
        {isPending && <Skeleton height={42} />}
        {data?.whatsapp && (
          <Button
            component="a"
            href={`https://wa.me/${data.whatsapp}`}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconBrandWhatsapp size={20} aria-hidden />}
            data-testid="help-whatsapp"
          >
            <Trans>Escribir por WhatsApp</Trans>
          </Button>
        )}
        {data?.email && (
          <Button
            component="a"
            href={`mailto:${data.email}`}
            variant="default"
            leftSection={<IconMail size={20} aria-hidden />}
            styles={{ label: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
            data-testid="help-email"
          >
            {data.email}
          </Button>
        )}
      </Stack>
    </Card>
  );
}
