import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconBolt, IconCoins, IconShieldCheck } from '@tabler/icons-react';

const benefits = [
  {
    Icon: IconShieldCheck,
    title: msg`Seguridad garantizada`,
    text: msg`Tu tarjeta va directo al proveedor de pagos. Se cobra solo cuando tu envío se aprueba.`,
  },
  {
    Icon: IconCoins,
    title: msg`Mejores tasas`,
    text: msg`La tasa y la comisión a la vista, con los bolivianos exactos que llegan.`,
  },
  {
    Icon: IconBolt,
    title: msg`Rapidez`,
    text: msg`Registrarte toma menos de 2 minutos. Sigues tu envío en vivo hasta que llega.`,
  },
];

/** Three reasons beside the form. */
export function Benefits() {
  return (
    <Stack gap="lg">
      {benefits.map(({ Icon, title, text }) => (
        <div key={title.id} style={{ display: 'flex', gap: 16 }}>
          <ThemeIcon size={44} variant="light" aria-hidden>
            <Icon size={24} stroke={1.7} />
          </ThemeIcon>
          <div>
            <Title order={2} fz="lg">
              {i18n._(title)}
            </Title>
            <Text c="dimmed">{i18n._(text)}</Text>
          </div>
        </div>
      ))}
    </Stack>
  );
}
