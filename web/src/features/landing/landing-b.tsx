import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconBellRinging, IconSend, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { claimQuery } from '../../data/comparison.ts';
import { claimText } from '../../lib/claim.ts';
import { paths } from '../../lib/paths.ts';
import { usePageTitle } from '../../ui/page.tsx';
import { StepDiamond } from '../../ui/step-diamond.tsx';
import { Faq } from './faq.tsx';
import classes from './landing-b.module.css';
import { LandingBHeader } from './landing-b-header.tsx';
import { Section } from './section.tsx';

/** Landing page B: the calculator first, then how it works and who is behind it. */
export function LandingB({ calculator }: { calculator: ReactNode }) {
  usePageTitle('Siempre cerca de casa');
  return (
    <>
      <LandingBHeader />
      <Hero calculator={calculator} />
      <Services />
      <Process />
      <About />
      <Testimonials />
      <Reasons />
      <Section id="preguntas" title="Preguntas frecuentes" ground="surface" layout="beside">
        <Faq />
      </Section>
      <Closing />
    </>
  );
}

function Hero({ calculator }: { calculator: ReactNode }) {
  return (
    <section className={classes.hero} aria-labelledby="landing-b-title">
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 32, md: 72 }}>
        <div className={classes.heroColumns}>
          <Stack gap="lg" align="flex-start">
            <Title order={1} id="landing-b-title" className={classes.title}>
              Siempre cerca de casa.
            </Title>
            <Text fz="xl" className={classes.heroText}>
              Envía dinero a Bolivia desde cualquier lugar. Ves los bolivianos exactos que llegan antes de pagar.
            </Text>
            <Group gap="lg">
              <Button
                component={Link}
                to={paths.dashboard}
                size="lg"
                color="sun.5"
                c="#14213d"
                data-testid="b-start-now"
              >
                Comenzar ahora
              </Button>
              <Anchor component={Link} to={paths.rateTester} fw={600} className={classes.heroLink} data-testid="b-how">
                Cómo funciona
              </Anchor>
            </Group>
          </Stack>
          <div id="calculator">{calculator}</div>
        </div>
      </Container>
      <div className="cq-weave" aria-hidden />
    </section>
  );
}

const services = [
  {
    Icon: IconSend,
    title: 'Transferencias directas',
    text: 'De tu tarjeta a los principales bancos de Bolivia y a Tigo Money.',
  },
  {
    Icon: IconBellRinging,
    title: 'Notificaciones',
    text: 'Te avisamos cuando tu envío avanza, y en tu panel lo ves en vivo.',
  },
  {
    Icon: IconUsers,
    title: 'Destinatarios',
    text: 'Guarda a tu familia una vez y envíale de nuevo en segundos.',
  },
  {
    Icon: IconArrowsExchange,
    title: 'Cambio de moneda',
    text: 'Pagas en dólares o euros y llegan bolivianos, con la tasa a la vista.',
  },
] as const;

function Services() {
  return (
    <Section id="servicios" title="Nuestros servicios">
      <ul className={classes.services}>
        {services.map(({ Icon, title, text }) => (
          <li key={title} className={classes.service}>
            <Icon size={30} stroke={1.6} color="var(--cq-good)" aria-hidden />
            <Title order={3}>{title}</Title>
            <Text c="dimmed">{text}</Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const steps = [
  { title: 'Regístrate', text: 'Tu correo y una contraseña. Toma menos de 2 minutos.' },
  { title: 'Añade destinatarios', text: 'Nombre, CI, banco y número de cuenta de quien recibe.' },
  { title: 'Envía dinero', text: 'Elige el monto, paga con tu tarjeta y sigue el envío hasta que llega.' },
] as const;

function Process() {
  return (
    <Section id="pasos" title="Envía en 3 pasos" ground="surface">
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title} className={classes.step}>
            <StepDiamond size={64}>{String(index + 1)}</StepDiamond>
            <div>
              <Title order={3}>{title}</Title>
              <Text c="dimmed">{text}</Text>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function About() {
  return (
    <Section title="Quiénes somos" layout="beside">
      <Stack gap="md" className={classes.about}>
        <Text fz="xl">
          Los chasquis cruzaban los Andes corriendo, de posta en posta, para que cada mensaje llegara a tiempo. De ellos
          tomamos el nombre y el encargo: que lo que envías llegue, y que sepas por dónde va.
        </Text>
        <Text>
          Hacemos una sola cosa: enviar dinero a Bolivia. Por eso cada envío lo revisa una persona antes de cobrarte, y
          cada boliviano que prometemos está en la cuenta que ves antes de pagar.
        </Text>
      </Stack>
    </Section>
  );
}

/** Nobody real said these: they show what the service is for, and say so. */
const testimonials = [
  { text: 'Mando el alquiler de mi mamá cada mes desde el celular, en el descanso.', who: 'Carmen, Madrid → El Alto' },
  {
    text: 'Lo que me gusta es que sé cuántos bolivianos llegan antes de pagar.',
    who: 'Wilson, Virginia → Cochabamba',
  },
  { text: 'Vi cómo pasó a Completado y al rato me llamó mi papá.', who: 'Nayra, Buenos Aires → Potosí' },
] as const;

function Testimonials() {
  return (
    <Section
      title="Para historias como estas"
      lead="Testimonios ilustrativos: los escribimos nosotros para mostrar usos del servicio."
      ground="surface"
    >
      <div className={classes.testimonials}>
        {testimonials.map(({ text, who }) => (
          <figure key={who} className={classes.testimonial}>
            <blockquote className={classes.quote}>{text}</blockquote>
            <Text component="figcaption" c="dimmed">
              {who} <span>(ejemplo)</span>
            </Text>
          </figure>
        ))}
      </div>
    </Section>
  );
}

const reasons = [
  ['Una sola comisión', 'La ves antes de pagar. No hay nada más que sumar.'],
  ['Cobro después de revisar', 'Tu tarjeta se cobra solo cuando el envío se aprueba.'],
  ['Cancelar sin costo', 'Mientras está en revisión, y 30 minutos después de pagar si aún no se depositó.'],
  ['Comparado con otros', 'Ponemos nuestra tasa junto a la de los demás, con la hora de cada dato.'],
] as const;

function Reasons() {
  const { data = null } = useQuery(claimQuery({ amount: '100', currency: 'USD' }));
  const claim = claimText({ claimPercent: data }, 'elsewhere');
  return (
    <Section
      title="Razones para elegirnos"
      ground="night"
      layout="beside"
      lead={
        <Anchor component={Link} to={paths.rateTester} fz="lg" fw={600} data-testid="b-compare">
          Ver comparación de tasas
        </Anchor>
      }
    >
      <dl className={classes.reasons}>
        {reasons.map(([title, text]) => (
          <div key={title} className={classes.reason}>
            <dt className="cq-big">{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {claim && (
        <Text mt="lg" fw={600} c="#f7d25a" data-testid="b-claim">
          {claim}
        </Text>
      )}
    </Section>
  );
}

function Closing() {
  return (
    <section className={classes.closing} aria-labelledby="landing-b-closing">
      <div className="cq-weave" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 48, md: 88 }}>
        <Stack gap="lg" align="center">
          <Title order={2} id="landing-b-closing" ta="center" className={classes.closingTitle}>
            ¿A quién le envías hoy?
          </Title>
          <Button component={Link} to={paths.dashboard} size="lg" color="sun.5" c="#14213d" data-testid="b-send-now">
            Enviar ahora
          </Button>
        </Stack>
      </Container>
    </section>
  );
}
