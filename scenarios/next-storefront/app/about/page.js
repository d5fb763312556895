export const dynamic = 'force-static';

export default function About() {
  return (
    <>
      <h1>About</h1>
      <p>Rendered once, when the shop was built.</p>
    </>
  );
}
