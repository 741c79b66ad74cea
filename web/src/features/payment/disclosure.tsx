import { Text } from '@mantine/core';
import { type DisclosureFigures, disclosureOf } from '#core/transfers/disclosure';
import classes from './disclosure.module.css';

/** What the law wants a sender to read before paying, in both languages side by side, below each other on a phone. */
export function Disclosure({ figures }: { figures: DisclosureFigures }) {
  return (
    <div className={classes.languages} data-testid="pay-disclosure">
      {disclosureOf(figures).map(({ language, title, lines }) => (
        <section key={language} lang={language} aria-label={title}>
          <Text fw={600}>{title}</Text>
          <dl className={`${classes.lines} cq-num`}>
            {lines.map(([term, value]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
