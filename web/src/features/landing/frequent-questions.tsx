import { frequentTopics } from '../../data/frequent-topics.ts';
import { Questions } from '../../ui/questions.tsx';

/** What people ask most, with its answers. */
export default function FrequentQuestions() {
  return <Questions topics={frequentTopics()} order={3} />;
}
