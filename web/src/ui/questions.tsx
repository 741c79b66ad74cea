import { Accordion, Text } from '@mantine/core';
import { useHydrated } from '../lib/document.ts';
import classes from './questions.module.css';

/** Questions that open one at a time and close again. `order` is the level of their headings. */
export function Questions(props: {
  topics: readonly { readonly id: string; readonly question: string; readonly answer: readonly string[] }[];
  order: 2 | 3;
  /** The one open from the beginning. */
  open?: string;
}) {
  // They may come to life after the page around them; until then a press would be lost.
  const hydrated = useHydrated();
  return (
    <Accordion
      order={props.order}
      defaultValue={props.open ?? null}
      inert={!hydrated}
      classNames={{ control: classes.control, label: classes.label, item: classes.item, content: classes.content }}
      data-testid="questions"
    >
      {props.topics.map(({ id, question, answer }) => (
        <Accordion.Item key={id} value={id} data-topic={id}>
          <Accordion.Control>{question}</Accordion.Control>
          <Accordion.Panel>
            {answer.map((paragraph) => (
              <Text key={paragraph} mb={6}>
                {paragraph}
              </Text>
            ))}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
