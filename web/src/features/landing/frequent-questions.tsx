import { frequentTopics } from '../../lib/help-topics.ts';
import { Questions } from '../../ui/questions.tsx';

/** What people ask most. */
export default function FrequentQuestions() {
  return <Questions topics={frequentTopics} order={3} />;
}
