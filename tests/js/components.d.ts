// What scripts get from Streamlit, and what views leave on the page for each other.

/** What Streamlit gives a component on mounting; each lives in a shadow root of its own. */
interface Component<Data> {
  data: Data;
  parentElement: ShadowRoot;
  setTriggerValue(name: string, value: unknown): void;
}

/** A view with a timeline, for the keys of the page around it. */
interface ViewWithTimeline {
  timelineKey(key: string): boolean;
  answerKey(key: string): boolean;
  asksFirst(): boolean;
  offersNext(): boolean;
  toggleFullScreen(): void;
}

declare var decisionTreeViews: Map<string, ViewWithTimeline> | undefined;
declare var ensembleViews: Map<string, Pick<ViewWithTimeline, "timelineKey">> | undefined;
declare var pictureViews: Map<string, unknown> | undefined;
declare var drawnTableViews: Map<string, unknown> | undefined;
