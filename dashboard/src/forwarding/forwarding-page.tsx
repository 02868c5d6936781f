// The Forwarding page: what it is, the servers and how each fares, and one more.
import { useEffect, useState } from "react";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { AddForm } from "./add-form.tsx";
import { TargetCard } from "./target-card.tsx";
import { useTargets } from "./use-forwarding.ts";
import "../recorder/recorder.css";
import "./forwarding.css";
import { t } from "../language/language.ts";

export function ForwardingPage() {
  const { data, error } = useTargets();
  const [added, setAdded] = useState<string>();
  useEffect(() => {
    document.title = t("Forwarding · Kit");
  }, []);
  return (
    <main className="recorder">
      <StorageBanner />
      <div className="recorder-page">
        <div className="recorder-part">
          <h1>{t("Forwarding")}</h1>
          <p className="recorder-detail">
            {t(
              "Error reports can be sent on to a server of yours. Only the reports Kit keeps are sent, each with how many of its kind there were. Home folders, the account’s and the machine’s name, mail and network addresses and keys are taken out before.",
            )}
          </p>
          {data?.targets.length === 0 && <p>{t("Nothing is sent anywhere now.")}</p>}
        </div>
        {error && !data && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
        {data?.targets.map((target) => (
          <TargetCard key={target.id} target={target} isNew={target.id === added} />
        ))}
        {data && <AddForm onAdded={setAdded} />}
      </div>
    </main>
  );
}
