// The WebSocket to the server that this page came from. It is opened again whenever it is lost.

const RETRY_MS = 1000;

// The address of this page may hold a token; the socket's has to hold it too.
const token = new URLSearchParams(location.search).get("token");

// `show`: for each type of message, what is done with it. `opened` and `lost` are told when the connection is.
export function connect(show, opened, lost) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const query = token ? `?token=${encodeURIComponent(token)}` : "";
  let socket;

  function open() {
    socket = new WebSocket(`${scheme}//${location.host}/table${query}`);
    socket.onopen = opened;
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      show[message.type](message);
    };
    socket.onclose = () => {
      lost();
      setTimeout(open, RETRY_MS);
    };
  }

  open();
  // What is said while there is no connection is lost, as a press is on a table without power.
  return (message) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
}
