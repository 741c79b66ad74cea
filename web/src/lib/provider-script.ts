/** Loads a card provider's script. @throws Error when it does not come; its element is gone then, so that a retry asks again. */
export function insertScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('The card form did not load'));
    };
    document.head.append(script);
  });
}
