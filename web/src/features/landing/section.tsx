import { Container, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, useId } from 'react';
import { LazyPart } from '../../ui/lazy-part.tsx';
import classes from './section.module.css';

/** A part of a landing page, from edge to edge on a ground of its own. */
export function Section(props: {
  /** What an address points at, "/#faq". */
  id?: string;
  title: string;
  lead?: ReactNode;
  ground?: 'page' | 'surface' | 'night';
  /** `beside` stands the title left of the content where there is room. */
  layout?: 'above' | 'beside';
  children: ReactNode;
}) {
  const { ground = 'page', layout = 'above' } = props;
  const titleId = useId();
  return (
    <section id={props.id} className={classes.section} data-ground={ground} aria-labelledby={titleId}>
      <Container size={1180} px={{ base: 'md', sm: 'lg' }}>
        <div className={classes.body} data-layout={layout}>
          <Stack gap="xs" className={classes.head}>
            <Title order={2} id={titleId} className={classes.title}>
              {props.title}
            </Title>
            {props.lead && (
              <Text component="div" fz="lg" className={classes.lead}>
                {props.lead}
              </Text>
            )}
          </Stack>
          <div>{props.children}</div>
        </div>
      </Container>
    </section>
  );
}

/** Below the first screen: prerendered with the page, and its script comes after the page's own. */
const FrequentQuestions = lazy(() => import('./frequent-questions.tsx'));

/** Six closed questions, in pixels. */
const height = 366;

/** What people ask most. */
export function Faq() {
  return (
    <LazyPart pending={<Skeleton height={height} />}>
      <FrequentQuestions />
    </LazyPart>
  );
}
