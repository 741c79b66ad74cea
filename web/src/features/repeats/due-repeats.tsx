import { Trans } from '@lingui/react/macro';
import { Text, Title, UnstyledButton } from '@mantine/core';
import { IconBellRinging, IconChevronRight } from '@tabler/icons-react';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { repeatsQuery } from '../../data/repeats.ts';
import classes from '../shared/under-way.module.css';
import { fixedText, rhythmText } from './repeat-texts.ts';

/** Reminders that can be paid now, where a sender who repeats looks first. Nothing while there are none. */
export default function DueRepeats({ onReview }: { onReview: (reminderId: string) => void }) {
  const data = useOptionalQuery(repeatsQuery) ?? [];
  const due = data.flatMap((repeat) => (repeat.reminder ? [{ repeat, reminder: repeat.reminder }] : []));
  if (due.length === 0) return null;
  return (
    <section aria-labelledby="due-title" data-testid="due-repeats">
      <div className={classes.head}>
        <Title order={2} fz="md" id="due-title">
          <Trans>Toca ahora</Trans>
        </Title>
      </div>
      <ul className={classes.rows}>
        {due.map(({ repeat, reminder }) => {
          const [fixed, rhythm] = [fixedText(repeat), rhythmText(repeat)];
          return (
            <li key={reminder.id}>
              <UnstyledButton
                className={classes.row}
                data-yours
                onClick={() => onReview(reminder.id)}
                data-testid="due-repeat"
              >
                <IconBellRinging size={20} aria-hidden className={classes.icon} />
                <span className={classes.texts}>
                  <span className={classes.what}>
                    <Text component="span" fw={700} className="cq-num">
                      {fixed}
                    </Text>{' '}
                    <Text component="span" truncate>
                      {repeat.recipient.name}
                    </Text>
                  </span>
                  <Text component="span" display="block" fz="xs" lh={1.35}>
                    <b className={classes.step}>
                      <Trans>Revisar y pagar</Trans>
                    </b>
                    {` · ${rhythm}`}
                  </Text>
                </span>
                <IconChevronRight size={18} aria-hidden className={classes.chevron} />
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
