//! What programs of kube-rs do to the cluster that KUBECONFIG names; each line says what worked.

use std::{collections::BTreeMap, env, error::Error, process::exit, time::Duration};

use futures::{StreamExt, TryStreamExt, pin_mut};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::{
    Api, Client, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams},
    runtime::{WatchStreamExt, watcher},
};
use serde_json::json;
use tokio::{io::AsyncReadExt, net::TcpStream, time::timeout};

const TLS: &str = if cfg!(feature = "openssl") { "rust with OpenSSL" } else { "rust with rustls" };

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let client = Client::try_default().await?;
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let made: Namespace = serde_json::from_value(json!({"metadata": {"generateName": "sdk-rust-"}}))?;
    let namespace = namespaces.create(&PostParams::default(), &made).await?.name_any();
    let maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
    typed(&maps).await?;
    println!("ok {TLS}: typed objects are created, read, listed, replaced and applied");
    watched(&maps).await?;
    println!("ok {TLS}: a watch tells each change");
    refused(&maps).await?;
    println!("ok {TLS}: a body that is too large gets its answer");
    match env::var("SDK_RESTART") {
        Ok(address) => {
            over_a_restart(&maps, &address).await?;
            println!("ok {TLS}: watches end cleanly at a shutdown and go on after the start");
        }
        Err(_) => println!("!!! LEFT OUT: {TLS} over a restart, for this cluster is not the suite's own"),
    }
    namespaces.delete(&namespace, &DeleteParams::default()).await?;
    Ok(())
}

fn config_map(name: &str, value: &str) -> ConfigMap {
    ConfigMap {
        metadata: kube::api::ObjectMeta {
            name: Some(name.to_owned()),
            labels: Some(BTreeMap::from([("from".to_owned(), "rust".to_owned())])),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("a".to_owned(), value.to_owned())])),
        ..Default::default()
    }
}

async fn typed(maps: &Api<ConfigMap>) -> Outcome {
    let made = maps.create(&PostParams::default(), &config_map("typed", "1")).await?;
    let mut changed = made.clone();
    changed.data = config_map("typed", "2").data;
    maps.replace("typed", &PostParams::default(), &changed).await?;
    expect(code_of(maps.replace("typed", &PostParams::default(), &made).await) == 409, "an old version is a conflict");
    let read = maps.get("typed").await?;
    expect(read.data == config_map("typed", "2").data, "an object is read back");
    expect(maps.list(&ListParams::default().labels("from=rust")).await?.items.len() == 1, "a list is selected");
    expect(code_of(maps.get("missing").await) == 404, "a missing object is not found");
    let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "1"}});
    maps.patch("applied", &PatchParams::apply("one"), &Patch::Apply(&body)).await?;
    maps.delete("applied", &DeleteParams::default()).await?;
    maps.delete("typed", &DeleteParams::default()).await?;
    Ok(())
}

async fn watched(maps: &Api<ConfigMap>) -> Outcome {
    let version = maps.list(&ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    let stream = maps.watch(&WatchParams::default().timeout(20), &version).await?.boxed();
    pin_mut!(stream);
    maps.create(&PostParams::default(), &config_map("watched", "1")).await?;
    maps.delete("watched", &DeleteParams::default()).await?;
    let mut seen = Vec::new();
    while let Some(event) = stream.try_next().await? {
        match event {
            WatchEvent::Added(_) => seen.push("ADDED"),
            WatchEvent::Deleted(_) => {
                seen.push("DELETED");
                break;
            }
            _ => {}
        }
    }
    expect(seen == ["ADDED", "DELETED"], &format!("a watch tells {seen:?}"));
    Ok(())
}

async fn refused(maps: &Api<ConfigMap>) -> Outcome {
    let huge = config_map("huge", &"x".repeat(8 << 20));
    let answer = maps.create(&PostParams::default(), &huge).await;
    expect(code_of(answer) == 413, "a body of 8 MiB is too large");
    Ok(())
}

/// A plain watch must end without an error when the server shuts down; a watcher sees the next change after the start.
async fn over_a_restart(maps: &Api<ConfigMap>, address: &str) -> Outcome {
    let version = maps.list(&ListParams::default()).await?.metadata.resource_version.unwrap_or_default();
    let plain = maps.watch(&WatchParams::default(), &version).await?.boxed();
    let informed = watcher(maps.clone(), watcher::Config::default()).default_backoff().applied_objects().boxed();
    pin_mut!(informed);
    maps.create(&PostParams::default(), &config_map("before", "1")).await?;
    until_seen(&mut informed, "before").await?;
    restart(address).await?;
    let ended: Result<Vec<_>, _> = timeout(Duration::from_secs(10), plain.try_collect()).await?;
    if let Err(error) = ended {
        fail(&format!("a watch ends with an error at the shutdown: {}", with_causes(&error)));
    }
    maps.create(&PostParams::default(), &config_map("after", "1")).await?;
    until_seen(&mut informed, "after").await
}

async fn until_seen<S>(stream: &mut S, name: &str) -> Outcome
where
    S: futures::Stream<Item = Result<ConfigMap, watcher::Error>> + Unpin,
{
    timeout(Duration::from_secs(60), async {
        while let Some(event) = stream.next().await {
            match event {
                Ok(map) if map.name_any() == name => return,
                Ok(_) => {}
                Err(error) if with_causes(&error).contains("close_notify") => fail(&with_causes(&error)),
                // The server is away for a moment.
                Err(_) => {}
            }
        }
    })
    .await?;
    Ok(())
}

/// Asks the suite to restart the cluster: it closes the connection when that is done.
async fn restart(address: &str) -> Outcome {
    let mut text = String::new();
    TcpStream::connect(address).await?.read_to_string(&mut text).await?;
    Ok(())
}

fn code_of<T>(result: Result<T, kube::Error>) -> u16 {
    match result {
        Ok(_) => 200,
        Err(kube::Error::Api(status)) => status.code,
        Err(error) => fail(&with_causes(&error)),
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

fn expect(condition: bool, text: &str) {
    if !condition {
        fail(text);
    }
}

fn fail(text: &str) -> ! {
    println!("not ok {TLS}: {text}");
    exit(1)
}
