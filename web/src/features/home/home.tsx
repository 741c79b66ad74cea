import { Anchor, Button, Card, Container, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBuildingBank, IconReceipt2, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatRateLine } from '#core/format';
import { paths } from '../../lib/paths.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../ui/page.tsx';
import classes from './home.module.css';

const promises = [
  {
    Icon: IconReceipt2,
    title: 'Ves todo antes de pagar',
    text: 'La tasa, la comisión y los bolivianos que llegan, en una sola cuenta. Si la tasa cambia, te preguntamos otra vez.',
  },
  {
    Icon: IconShieldLock,
    title: 'Tu tarjeta se cobra solo si se aprueba',
    text: 'Primero se reserva el monto. Una persona revisa el envío; si lo rechaza, no se cobra nada.',
  },
  {
    Icon: IconBuildingBank,
    title: 'A su banco o a su billetera',
    text: 'Los bancos de Bolivia y Tigo Money. Ves tu envío pasar de EN PROCESO a Completado sin recargar.',
  },
];

/** The front page: what Chasqui does, today's rate, and the way in. */
export function Home({ calculator }: { calculator: ReactNode }) {
  usePageTitle('Envía dinero a Bolivia');
  const session = useSession();
  return (
    <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 'xl', md: 64 }}>
      <Stack gap={48}>
        <div className={classes.hero}>
          <Stack gap="lg" align="flex-start">
            <Title order={1} className={classes.title}>
              Tu dinero llega a Bolivia.
              <br />
              Tú ves cada paso.
            </Title>
            <Text fz="xl" maw={520}>
              Pagas con tu tarjeta en dólares o euros y tu familia recibe bolivianos en su banco o en su billetera
              móvil.
            </Text>
            <Group>
              {session.data ? (
                <Button component={Link} to={paths.dashboard} size="lg">
                  Enviar dinero
                </Button>
              ) : (
                <Button component={Link} to={paths.signup} size="lg" data-testid="home-signup">
                  Crear mi cuenta
                </Button>
              )}
              {!session.data && (
                <Anchor component={Link} to={paths.login} fw={600} data-testid="home-login">
                  Ya tengo cuenta
                </Anchor>
              )}
            </Group>
          </Stack>
          <TodaysRates />
        </div>
        <section id="calculator" aria-label="Calculadora de Envíos">
          {calculator}
        </section>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
          {promises.map(({ Icon, title, text }) => (
            <Stack key={title} gap={6} className={classes.promise}>
              <Icon size={30} stroke={1.6} color="var(--cq-good)" aria-hidden />
              <Title order={2} fz="lg">
                {title}
              </Title>
              <Text c="dimmed">{text}</Text>
            </Stack>
          ))}
        </SimpleGrid>
      </Stack>
    </Container>
  );
}

function TodaysRates() {
  const { data, isError } = useQuery(ratesQuery);
  return (
    <Card className={classes.rates} shadow="md" padding="xl">
      <div className="cq-band" aria-hidden style={{ margin: '-32px -32px 24px' }} />
      <Text c="dimmed">Tasa de hoy</Text>
      {isError ? (
        <Text fz="lg" mt="sm">
          Tasa no disponible por el momento. Intenta más tarde.
        </Text>
      ) : (
        <Stack gap={4} mt={4}>
          {(['USD', 'EUR'] as const).map((currency) => (
            <div key={currency} className={`${classes.rate} cq-big cq-num`}>
              {data ? formatRateLine(data.rates[currency].rate, currency) : <Skeleton height={36} my={6} width={220} />}
            </div>
          ))}
        </Stack>
      )}
      <Text c="dimmed" mt="md">
        La comisión se muestra aparte, antes de pagar: nunca va escondida en la tasa.
      </Text>
      <Anchor component={Link} to={paths.rateTester} fw={600} mt="sm" display="inline-block" data-testid="home-compare">
        Compara con otros servicios
      </Anchor>
    </Card>
  );
}
