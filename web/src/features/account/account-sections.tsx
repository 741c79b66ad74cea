import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Alert, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconAt,
  IconBell,
  IconDevices,
  IconFileDownload,
  IconFlag,
  IconGauge,
  IconKey,
  IconLanguage,
  IconMail,
  IconShieldLock,
  IconUser,
  IconUserX,
} from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { accountSections } from '#core/contracts/page-addresses';
import { useSession } from '../../data/session.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { LoadingRows } from '../../ui/states.tsx';

interface Props {
  /** Leads to the page in the other language. */
  languageSwitch: ReactNode;
}

interface Section {
  readonly id: string;
  readonly Icon: Icon;
  readonly title: MessageDescriptor;
  readonly about: MessageDescriptor;
  /** Loaded when it is opened: a person comes for one of them. */
  readonly Content: ComponentType<Props>;
}

const sections: readonly Section[] = [
  {
    id: accountSections.details,
    Icon: IconUser,
    title: msg`Tus datos`,
    about: msg`Nombre, teléfono, ciudad y ocupación`,
    Content: lazy(() => import('./details-form.tsx')),
  },
  {
    id: accountSections.email,
    Icon: IconAt,
    title: msg`Correo de la cuenta`,
    about: msg`Con el que entras y recibes avisos`,
    Content: lazy(() => import('./email-change.tsx')),
  },
  {
    id: accountSections.password,
    Icon: IconKey,
    title: msg`Contraseña`,
    about: msg`Cámbiala cuando quieras`,
    Content: lazy(() => import('./password-change.tsx')),
  },
  {
    id: accountSections.security,
    Icon: IconShieldLock,
    title: msg`Seguridad`,
    about: msg`Verificación en dos pasos`,
    Content: lazy(() => import('./second-factor.tsx')),
  },
  {
    id: accountSections.sessions,
    Icon: IconDevices,
    title: msg`Sesiones abiertas`,
    about: msg`Equipos en los que entraste a tu cuenta`,
    Content: lazy(() => import('./sessions.tsx')),
  },
  {
    id: accountSections.preferences,
    Icon: IconLanguage,
    title: msg`Idioma y moneda`,
    about: msg`De las páginas, los correos y tus envíos`,
    Content: lazy(() => import('./preferences.tsx')),
  },
  {
    id: accountSections.emails,
    Icon: IconMail,
    title: msg`Correos`,
    about: msg`Cuáles quieres recibir`,
    Content: lazy(() => import('./email-preferences.tsx')),
  },
  {
    id: accountSections.notifications,
    Icon: IconBell,
    title: msg`Avisos en este dispositivo`,
    about: msg`Cuando cambia un envío, también con Chasqui cerrado`,
    Content: lazy(() => import('./device-notifications.tsx')),
  },
  {
    id: accountSections.limits,
    Icon: IconGauge,
    title: msg`Límites`,
    about: msg`Cuánto puedes enviar todavía`,
    Content: lazy(() => import('./limits.tsx')),
  },
  {
    id: accountSections.problems,
    Icon: IconFlag,
    title: msg`Problemas que reportaste`,
    about: msg`En qué está cada uno`,
    Content: lazy(() => import('./own-complaints.tsx')),
  },
  {
    id: accountSections.ownData,
    Icon: IconFileDownload,
    title: msg`Descargar mis datos`,
    about: msg`Todo lo que guardamos de ti`,
    Content: lazy(() => import('./own-data.tsx')),
  },
  {
    id: accountSections.closing,
    Icon: IconUserX,
    title: msg`Cerrar mi cuenta`,
    about: msg`Qué se borra y qué se guarda`,
    Content: lazy(() => import('./close-account.tsx')),
  },
];

/** Like the cards of other pages. */
const surface = { backgroundColor: 'var(--mantine-color-default)', borderColor: 'var(--cq-line)' };

/** All of an account, one section open at a time; the address may name it. */
export function AccountSections(props: Props) {
  const { hash } = useLocation();
  const mustSetUp = useSession().data?.mustSetUp !== undefined;
  const [open, setOpen] = useState<string | null>(mustSetUp ? accountSections.security : null);
  const offered = mustSetUp ? sections.filter(({ id }) => id === accountSections.security) : sections;
  useEffect(() => {
    const named = sections.find(({ id }) => `#${id}` === hash);
    if (named) setOpen(named.id);
  }, [hash]);
  const list = (
    <Accordion order={2} variant="contained" value={open} onChange={setOpen} styles={{ item: surface }}>
      {offered.map(({ id, Icon, title, about, Content }) => (
        <Accordion.Item key={id} value={id} id={id}>
          <Accordion.Control icon={<Icon size={24} stroke={1.7} aria-hidden />} data-testid={`account-${id}`}>
            <Text component="span" display="block" fw={600} fz="lg">
              {i18n._(title)}
            </Text>
            <Text component="span" display="block" fz="sm" c="dimmed" fw={400}>
              {i18n._(about)}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            {open === id && (
              <LazyPart pending={<LoadingRows rows={2} height={48} />}>
                <Content {...props} />
              </LazyPart>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
  if (!mustSetUp) return list;
  return (
    <Stack>
      <Alert color="yellow" icon={<IconShieldLock aria-hidden />} title={t`Falta la verificación en dos pasos`}>
        <Trans>Quien administra Chasqui la necesita. Actívala para ver el panel de administración.</Trans>
      </Alert>
      {list}
    </Stack>
  );
}
