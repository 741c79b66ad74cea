import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconBolt, IconCoins, IconShieldCheck } from '@tabler/icons-react';

const benefits = [
  {
    Icon: IconShieldCheck,
    title: 'Seguridad garantizada',
    text: 'Tu tarjeta va directo al proveedor de pagos. Se cobra solo cuando tu envío se aprueba.',
  },
  {
    Icon: IconCoins,
    title: 'Mejores tasas',
    text: 'La tasa y la comisión a la vista, con los bolivianos exactos que llegan.',
  },
  {
    Icon: IconBolt,
    title: 'Rapidez',
    text: 'Registrarte toma menos de 2 minutos. Sigues tu envío en vivo hasta que llega.',
  },
];

/** Three reasons beside the form. */
export function Benefits() {
  return (
    <Stack gap="lg">
      {benefits.map(({ Icon, title, text }) => (
        <div key={title} style={{ display: 'flex', gap: 16 }}>
          <ThemeIcon size={44} variant="light" aria-hidden>
            <Icon size={24} stroke={1.7} />
          </ThemeIcon>
          <div>
            <Title order={2} fz="lg">
              {title}
            </Title>
            <Text c="dimmed">{text}</Text>
          </div>
        </div>
      ))}
    </Stack>
  );
}
